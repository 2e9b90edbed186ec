import { InvalidConfigurationError, type OptionProblem } from "../errors.ts";

/** Limits and default of a number. */
export interface NumberRule {
  readonly default: number;
  /** Smallest value accepted. */
  readonly min: number;
  /** Largest value accepted; 2^53 - 1 if absent. */
  readonly max?: number;
}

const LONGEST_SHOWN = 60;
// Options whose text no message may show, misspelt and unknown ones included.
const SECRET = /auth|token|passw|passphrase|secret|credential|private/i;

/**
 * Reads the options of one factory by name, with defaults, and collects everything that is wrong with them. Each reader
 * method returns a usable value whatever was given, so that reading goes on; {@link OptionReader.finish} then throws one
 * InvalidConfigurationError that lists all problems. Options nobody read are problems too: they are likely misspelt.
 */
export class OptionReader {
  readonly #subject: string;
  readonly #options: Readonly<Record<string, unknown>>;
  readonly #prefix: string;
  readonly #read: Set<string> = new Set();
  readonly #problems: OptionProblem[];

  /**
   * @param subject what the options are of, for the message: `client options`
   * @param options as given by the user; anything
   */
  constructor(
    subject: string,
    options: unknown,
    parent?: { readonly prefix: string; readonly problems: OptionProblem[] },
  ) {
    this.#subject = subject;
    this.#prefix = parent?.prefix ?? "";
    this.#problems = parent?.problems ?? [];
    if (isPlainRecord(options)) {
      this.#options = options;
    } else {
      this.#options = {};
      this.#problems.push({
        option: this.#prefix.slice(0, -1) || "options",
        given: show(options),
        expected: "an object",
      });
    }
  }

  /** An integer within the rule. */
  integer(name: string, rule: NumberRule): number {
    const max = rule.max ?? Number.MAX_SAFE_INTEGER;
    const expected =
      rule.max === undefined ? `an integer from ${rule.min}` : `an integer from ${rule.min} to ${rule.max}`;
    const isValid = (value: unknown): value is number =>
      Number.isSafeInteger(value) && (value as number) >= rule.min && (value as number) <= max;
    return this.value(name, rule.default, isValid, expected);
  }

  /** True or false. */
  boolean(name: string, fallback: boolean): boolean {
    return this.value(name, fallback, (value): value is boolean => typeof value === "boolean", "true or false");
  }

  /** Text with at least one character; undefined when absent. */
  text(name: string): string | undefined {
    return this.value(name, undefined, isText, "a text of at least one character");
  }

  /** Text with at least one character that must be there. */
  requiredText(name: string): string {
    return this.required(name, "", isText, "a text of at least one character");
  }

  /** One of a list of words. */
  oneOf<T extends string>(name: string, words: readonly T[], fallback: T): T {
    const isWord = (value: unknown): value is T => words.includes(value as T);
    return this.value(name, fallback, isWord, words.map((word) => JSON.stringify(word)).join(" or "));
  }

  /** Texts by name, copied and frozen; empty when absent. */
  properties(name: string): Readonly<Record<string, string>> {
    const isProperties = (value: unknown): value is Readonly<Record<string, string>> =>
      isPlainRecord(value) && Object.values(value).every((text) => typeof text === "string");
    return Object.freeze({ ...this.value(name, {}, isProperties, "an object whose values are texts") });
  }

  /** Anything that a guard accepts; the fallback when absent. */
  value<T, F>(name: string, fallback: F, isValid: (value: unknown) => value is T, expected: string): T | F {
    const value = this.#take(name);
    if (value === undefined) return fallback;
    if (isValid(value)) return value;
    this.problem(name, value, expected);
    return fallback;
  }

  /** Anything that a guard accepts and that must be there. The fallback only keeps the reading going. */
  required<T>(name: string, fallback: T, isValid: (value: unknown) => value is T, expected: string): T {
    const value = this.#take(name);
    if (isValid(value)) return value;
    this.problem(name, value, expected);
    return fallback;
  }

  /** Options inside an option: their names get this one's before them. Empty when absent. */
  nested(name: string): OptionReader {
    const parent = { prefix: `${this.#prefix}${name}.`, problems: this.#problems };
    return new OptionReader(this.#subject, this.#take(name) ?? {}, parent);
  }

  /** Whether the option was given. */
  has(name: string): boolean {
    return this.#options[name] !== undefined;
  }

  /** Adds a problem, e.g. of options that do not go together. */
  problem(name: string, given: unknown, expected: string): void {
    const isSecret = typeof given === "string" && SECRET.test(name);
    const shown = isSecret ? `a text of ${given.length} characters` : show(given);
    this.#problems.push({ option: `${this.#prefix}${name}`, given: shown, expected });
  }

  /**
   * To be called after the last option; for nested options too, before the outermost.
   *
   * @throws InvalidConfigurationError when anything was wrong, from the outermost reader only
   */
  finish(): void {
    for (const name of Object.keys(this.#options)) {
      if (!this.#read.has(name) && this.#options[name] !== undefined) {
        this.problem(name, this.#options[name], "left out, there is no such option");
      }
    }
    if (this.#prefix === "" && this.#problems.length > 0) {
      throw new InvalidConfigurationError(this.#subject, this.#problems);
    }
  }

  #take(name: string): unknown {
    this.#read.add(name);
    return this.#options[name];
  }
}

function isPlainRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** A value as text for a message, without ever throwing and without its secrets: only scalars are shown whole. */
function show(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value);
    case "bigint":
      return `${value}n`;
    case "number":
    case "boolean":
    case "undefined":
      return String(value);
    case "function":
      return "a function";
    case "symbol":
      return "a symbol";
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? `an array of ${value.length}` : "an object";
  }
}
