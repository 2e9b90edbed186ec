/** A complete program of a README. */
export interface ReadmeProgram {
  /** The heading above it. */
  readonly title: string;
  /** Line of its fence, from 1. */
  readonly line: number;
  readonly language: "ts" | "js";
  readonly source: string;
}

/**
 * Finds the fenced blocks of a Markdown text whose language is `ts` or `js` and nothing else. A fragment that is no
 * program carries a word more: ```` ```ts fragment ````.
 */
export function extractPrograms(markdown: string): readonly ReadmeProgram[] {
  const programs: ReadmeProgram[] = [];
  let title = "";
  let open: { readonly info: string; readonly line: number; readonly body: string[] } | undefined;
  for (const [index, text] of markdown.split("\n").entries()) {
    const fence = /^```(.*)$/u.exec(text);
    if (open !== undefined) {
      if (fence === null) {
        open.body.push(text);
        continue;
      }
      const { info, line, body } = open;
      if (info === "ts" || info === "js")
        programs.push({ title, line, language: info, source: `${body.join("\n")}\n` });
      open = undefined;
    } else if (fence !== null) {
      open = { info: (fence[1] ?? "").trim(), line: index + 1, body: [] };
    } else {
      title = /^#+ (.*)$/u.exec(text)?.[1] ?? title;
    }
  }
  return programs;
}
