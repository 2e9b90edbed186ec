/** A range of key hashes with both ends included, within 0 and 65 535. */
export interface StickyHashRange {
  readonly start: number;
  readonly end: number;
}

/** How a Key_Shared subscription spreads its keys over its consumers; all consumers of it must agree. */
export type KeySharedPolicy =
  | {
      /** The broker divides the hashes among the consumers and changes that as they come and go. */
      readonly mode: "AutoSplit";
      /** Default false. Gives up the order of a key while consumers come and go. */
      readonly allowOutOfOrderDelivery?: boolean | undefined;
    }
  | {
      /** Each consumer names its hashes. They must not overlap; keys of hashes that nobody has wait. */
      readonly mode: "Sticky";
      readonly ranges: readonly StickyHashRange[];
      /** As above. */
      readonly allowOutOfOrderDelivery?: boolean | undefined;
    };

const HIGHEST_HASH = 65_535;

/** What a policy must be, for messages about one that is not. */
export const KEY_SHARED_POLICY_RULE =
  'an object with mode "AutoSplit", or mode "Sticky" and ranges of { start, end } from 0 to 65535 that do not overlap';

/** Whether a value given by a user is a policy. */
export function isKeySharedPolicy(value: unknown): value is KeySharedPolicy {
  if (typeof value !== "object" || value === null) return false;
  const { mode, ranges, allowOutOfOrderDelivery: outOfOrder } = value as Readonly<Record<string, unknown>>;
  if (outOfOrder !== undefined && typeof outOfOrder !== "boolean") return false;
  if (mode === "AutoSplit") return ranges === undefined;
  return mode === "Sticky" && Array.isArray(ranges) && areDisjoint(ranges);
}

function areDisjoint(ranges: readonly unknown[]): boolean {
  if (ranges.length === 0 || !ranges.every(isRange)) return false;
  const sorted = [...ranges].sort((a, b) => a.start - b.start);
  return sorted.every((range, index) => index === 0 || (sorted[index - 1]?.end ?? -1) < range.start);
}

function isRange(value: unknown): value is StickyHashRange {
  if (typeof value !== "object" || value === null) return false;
  const { start, end } = value as Readonly<Record<string, unknown>>;
  return isHash(start) && isHash(end) && start <= end;
}

function isHash(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= HIGHEST_HASH;
}
