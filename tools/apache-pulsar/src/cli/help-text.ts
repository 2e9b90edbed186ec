import { pulsarVersion } from "../distribution/cache-folder.ts";

/** What `help` prints. */
export const helpText: string = `Starts a real Apache Pulsar ${pulsarVersion} on this machine, from its published Maven artifacts.

Usage: pnpm pulsar <command> [options]

Commands
  up        start it, print its URLs and run until Ctrl-C
  check     tell whether Java and Maven are there and new enough
  prepare   download and prepare everything that the first start needs
  help      print this

Options of up
  --port N         port of the binary protocol; 0 for a free one (default 6650; broker i of a cluster gets N + i)
  --http-port N    port of admin REST and WebSocket; 0 for a free one (default 8080; broker i of a cluster gets N + i)
  --tls            open TLS ports too, with certificates made for the instance
  --token          clients must show a token; prints one for the role "admin"
  --cluster N      a cluster of ZooKeeper, a bookie and N brokers instead of standalone
  --set key=value  any broker setting; may be repeated
  --dir D          keep configuration, data and logs in D and start again what is there
  --keep           keep the temporary folder at the end

Environment
  JAVA_HOME        the Java to use (17 or newer), else java of the search path
  PULSEWIRE_CACHE  where the resolved class path is kept (default ~/.cache/pulsewire)
`;
