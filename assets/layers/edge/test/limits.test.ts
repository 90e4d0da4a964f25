import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Config } from "../src/config-type.js";
import { checkAnswers, checkCode, checkConfig, checkInfrastructure, isDisallowed } from "../tools/check-limits.js";
import { zip } from "../tools/zip.js";
import { sample as config } from "./sample.js";

test("the sample is inside the limits", () => {
  assert.deepEqual(checkConfig(config), []);
  assert.deepEqual(checkAnswers(config), []);
});

test("each mistake in a configuration is named", () => {
  const global = { ...config.global, limits: { ...config.global.limits, anonymous: 0 } };
  const wrong: [Partial<Config>, RegExp][] = [
    [{ table: { ...config.table, timeoutMilliseconds: 1_500 } }, /4 calls of 1500 ms/],
    [{ table: { ...config.table, home: "eu-west-1" } }, /home is eu-west-1/],
    [{ table: { ...config.table, replicas: ["us-east-1"] } }, /named twice/],
    [{ table: { ...config.table, replicas: ["mars-1"] } }, /mars-1/],
    [{ defaultTier: "gold" }, /default tier gold/],
    [{ global }, /global has no limit of 1 or more for tier anonymous/],
    [{ global: { ...config.global, name: "a#b" } }, /other signs/],
    [{ trustedHeaders: { client: "X-Amz-Cf-Id", tier: "x-tier" } }, /X-Amz-Cf-Id/],
    [{ untrustedHeaders: ["Host"] }, /Host/],
    ...["https://evil.example/", "/captcha/.", "/captcha/../x", "/a//b"].map((page): [Partial<Config>, RegExp] => [
      { captcha: { page, passSeconds: 1, ticketSeconds: 1 } },
      /captcha\.page/,
    ]),
    [{ neverLimited: [{ path: "/hooks;a", exact: true }] }, /never be seen/],
    [{ routes: [...config.routes, ...config.routes] }, /one name/],
    [{ routes: [{ ...config.global, name: "odd", path: "/a//b", exact: true, methods: [] }] }, /never be seen/],
  ];
  for (const [change, message] of wrong) assert.match(checkConfig({ ...config, ...change }).join("\n"), message);
});

test("an answer above 40 KB is found", () => {
  const global = { ...config.global, name: "n".repeat(21_000) };
  assert.match(checkAnswers({ ...config, global }).join("\n"), /an answer 429 has \d+ bytes/);
});

test("code that needs what the edge does not have is found", () => {
  assert.deepEqual(checkCode({ "a.js": 'require("node:net"); require("./b.js"); require("@aws-sdk/client-dynamodb"); process.env["AWS_REGION"]' }), []);
  assert.equal(checkCode({ "a.js": 'require("lodash"); process.env.TABLE; process.env["LIMIT"]' }).length, 3);
  assert.ok(isDisallowed("X-Amz-Cf-Pop") && isDisallowed("Keep-Alive") && isDisallowed("X-Edge-Anything") && !isDisallowed("RateLimit"));
});

test("infrastructure outside of the limits is found", () => {
  const good = 'runtime = "nodejs22.x"\n publish = true\n memory_size = 128\n timeout = 5\n # environment {\n edgelambda.amazonaws.com';
  assert.deepEqual(checkInfrastructure("good", good), []);
  const bad = 'runtime = "nodejs18.x"\n memory_size = 256\n Timeout: 30\n environment {\n VpcConfig: x';
  assert.equal(checkInfrastructure("bad", bad).length, 7);
});

test("the archive is the same each time and a zip that others read", () => {
  const files = [{ name: "b.js", data: Buffer.from("b".repeat(5_000)) }, { name: "a.js", data: Buffer.from("let ä = 1;\n") }];
  assert.deepEqual(zip(files), zip([...files].reverse()));
  const folder = mkdtempSync(join(tmpdir(), "edge-zip-"));
  try {
    writeFileSync(join(folder, "x.zip"), zip(files));
    const script = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print([(i.filename, i.file_size) for i in z.infolist()])";
    let out: string;
    try {
      out = execFileSync("python3", ["-c", script, join(folder, "x.zip")], { encoding: "utf8" });
    } catch (error) {
      if ((error as { code?: string }).code === "ENOENT") return; // no python3 to read it with
      throw error;
    }
    assert.equal(out.trim(), "[('a.js', 12), ('b.js', 5000)]");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
