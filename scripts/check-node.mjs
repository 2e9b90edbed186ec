// Imported first by every command: an old Node would otherwise fail later, with an error that does not say why.
import { readFileSync } from "node:fs";

const engines = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).engines.node;
const wanted = engines.replace(/^>=/, "").split(".").map(Number);
const found = process.versions.node.split(".").map(Number);
const difference = wanted.map((part, index) => found[index] - part).find((part) => part !== 0) || 0;

if (difference < 0) {
  console.error(
    `Pulsewire needs Node ${wanted.join(".")} or newer; this is Node ${process.versions.node} (${process.execPath}).`,
  );
  process.exit(1);
}
