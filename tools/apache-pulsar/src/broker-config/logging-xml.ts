/** The Log4j configuration of every JVM that is started: one line an event on standard output. */
export const loggingXml = `<Configuration status="warn">
  <Appenders>
    <Console name="console"><PatternLayout pattern="%d{HH:mm:ss.SSS} %-5p %c{1} - %m%n"/></Console>
  </Appenders>
  <Loggers><Root level="info"><AppenderRef ref="console"/></Root></Loggers>
</Configuration>
`;
