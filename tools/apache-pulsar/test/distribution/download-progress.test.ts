import { expect, it } from "vitest";
import { DownloadProgress } from "../../src/distribution/download-progress.ts";

it("counts jars and bytes and reports once an interval", () => {
  const lines: string[] = [];
  let now = 0;
  const progress = new DownloadProgress(
    (line) => lines.push(line),
    1_000,
    () => now,
  );
  progress.onLine("Downloading from central: x/a.jar");
  progress.onLine("Downloaded from central: x/a.pom (2.0 kB at 1 kB/s)");
  progress.onLine("Downloaded from central: x/a.jar (1.5 MB at 1 MB/s)");
  expect(lines).toEqual([]);
  now = 1_000;
  progress.onLine("Downloaded from central: x/b.jar (500 kB at 1 MB/s)");
  progress.onLine("Downloaded from central: x/c.jar (3.0 MB at 1 MB/s)");
  expect(lines).toEqual(["jars: 2 downloaded, 2 MB"]);
  expect(progress.summary).toBe("3 downloaded, 5 MB");
});
