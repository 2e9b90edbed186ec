const ISO_WITH_OFFSET = /^[+-]?\d{4,9}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Time as the service writes it, in UTC: ISO date-time, trailing zeros of the fraction cut (`05.22Z`, `38Z`). */
export function formatTimestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.?0*Z$/, "Z");
}

/** Reads an ISO date-time with offset or Z, in ms; undefined for any other text. Finer digits than ms are dropped. */
export function parseTimestamp(text: string): number | undefined {
  if (!ISO_WITH_OFFSET.test(text)) return undefined;
  const ms = Date.parse(text.replace(/(\.\d{3})\d+/, "$1"));
  return Number.isNaN(ms) ? undefined : ms;
}
