// Writes `edge.zip`: the compiled sources, without tests and without the SDK, which Lambda's runtime brings.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zip } from "./zip.js";

const project = join(__dirname, "../..");
const sources = join(__dirname, "../src");
/** Runs behind the CAPTCHA page, not at the edge. */
const ELSEWHERE = ["captcha-page.js"];

const names = readdirSync(sources).filter((it) => it.endsWith(".js") && !ELSEWHERE.includes(it));
const archive = zip(names.map((name) => ({ name, data: readFileSync(join(sources, name)) })));
writeFileSync(join(project, "edge.zip"), archive);
process.stdout.write(`edge.zip: ${names.length} files, ${archive.length} bytes\n`);
