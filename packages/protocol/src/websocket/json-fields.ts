/** A JSON object as parsed, nothing known about its members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The object that a text holds, or undefined when it holds no JSON or something else. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Text of a scalar, as the service takes numbers and booleans for texts; undefined for anything else. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/** The members of an object as texts, or undefined when one is no scalar. */
export function textMap(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isJsonObject(value)) return undefined;
  const entries: [string, string][] = [];
  for (const [name, member] of Object.entries(value)) {
    const text = scalarText(member);
    if (text === undefined) return undefined;
    entries.push([name, text]);
  }
  return Object.fromEntries(entries);
}
