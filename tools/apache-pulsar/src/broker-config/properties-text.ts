/** Settings as a broker reads them: names and values in Pulsar's own words. */
export type Settings = Readonly<Record<string, string | number | boolean>>;

/** The text of a Java properties file that holds the settings, one a line, escaped where the format asks for it. */
export function toPropertiesText(settings: Settings): string {
  return Object.entries(settings)
    .map(([key, value]) => `${escapeKey(key)}=${escapeValue(String(value))}\n`)
    .join("");
}

function escapeKey(key: string): string {
  return escapeCommon(key).replace(/[ :=#!]/gu, (character) => `\\${character}`);
}

function escapeValue(value: string): string {
  return escapeCommon(value).replace(/^ /u, "\\ ");
}

function escapeCommon(text: string): string {
  return text
    .replace(/\\/gu, "\\\\")
    .replace(/\n/gu, "\\n")
    .replace(/\r/gu, "\\r")
    .replace(/\t/gu, "\\t")
    .replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
