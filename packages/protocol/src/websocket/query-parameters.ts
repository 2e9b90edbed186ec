import { ProtocolError } from "../errors.ts";

/** How the values of a parameter are written and which ones are taken. */
export type ParameterDefinition =
  | { readonly kind: "boolean"; readonly default: boolean }
  | { readonly kind: "integer"; readonly min: number; readonly default?: number }
  | { readonly kind: "long"; readonly default?: bigint }
  | { readonly kind: "choice"; readonly values: readonly string[]; readonly default?: string }
  | { readonly kind: "text"; readonly allowsBlank: boolean; readonly default?: string };

/** The parameters of an endpoint by name. */
export type ParameterTable = Readonly<Record<string, ParameterDefinition>>;

type ValueOf<D extends ParameterDefinition> = D extends { readonly kind: "boolean" }
  ? boolean
  : D extends { readonly kind: "integer" }
    ? number
    : D extends { readonly kind: "long" }
      ? bigint
      : D extends { readonly kind: "choice"; readonly values: readonly (infer V)[] }
        ? V
        : string;

/** Values for the parameters of a table; what is absent has its default. */
export type ParameterValues<T extends ParameterTable> = { readonly [K in keyof T]?: ValueOf<T[K]> | undefined };

/** Largest value of the API's numbers, which are 32-bit integers even where the documents say long. */
const MAX_INTEGER = 0x7fffffff;

const LONG_LIMIT = 2n ** 63n;

/**
 * Reads the parameters of a table as the service does: the first of repeated ones counts, unknown ones are ignored, names
 * and choices are case-sensitive, a boolean is true for "true" in any case and false for anything else.
 *
 * @throws ProtocolError `INVALID_WEBSOCKET_URL` naming the parameter and the value
 */
export function parseParameters<T extends ParameterTable>(table: T, query: URLSearchParams): ParameterValues<T> {
  const values: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries(table)) {
    const text = query.get(name);
    if (text !== null) values[name] = parseValue(name, definition, text);
  }
  return values as ParameterValues<T>;
}

/**
 * Writes values as a query, without the question mark, in the order of the table.
 *
 * @throws ProtocolError `INVALID_WEBSOCKET_URL` for a value that the service would refuse
 */
export function formatParameters<T extends ParameterTable>(table: T, values: ParameterValues<T>): string {
  const parts: string[] = [];
  for (const [name, definition] of Object.entries(table)) {
    const value = (values as Readonly<Record<string, boolean | number | bigint | string | undefined>>)[name];
    if (value === undefined) continue;
    const text = String(value);
    parseValue(name, definition, text);
    parts.push(`${name}=${encodeURIComponent(text)}`);
  }
  return parts.join("&");
}

function parseValue(name: string, definition: ParameterDefinition, text: string): boolean | number | bigint | string {
  switch (definition.kind) {
    case "boolean":
      return text.toLowerCase() === "true";
    case "integer": {
      const value = /^[+-]?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= definition.min && value <= MAX_INTEGER) return value;
      throw refused(name, text, `an integer from ${definition.min} to ${MAX_INTEGER}`);
    }
    case "long": {
      const value = /^[+-]?\d{1,19}$/.test(text) ? BigInt(text.replace("+", "")) : LONG_LIMIT;
      if (value < LONG_LIMIT && value >= -LONG_LIMIT) return value;
      throw refused(name, text, "a 64-bit integer");
    }
    case "choice":
      if (definition.values.includes(text)) return text;
      throw refused(name, text, `one of ${definition.values.join(", ")}`);
    case "text":
      if (definition.allowsBlank || text.trim() !== "") return text;
      throw refused(name, text, "a text that is not blank");
  }
}

function refused(name: string, text: string, expected: string): ProtocolError {
  return new ProtocolError("INVALID_WEBSOCKET_URL", `${name} must be ${expected}, got ${JSON.stringify(text)}`);
}
