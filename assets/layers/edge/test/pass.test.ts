import assert from "node:assert/strict";
import { test } from "node:test";
import { admit } from "../src/captcha-page.js";
import { cookie, PASS_COOKIE, returnPath, sign, verify } from "../src/pass.js";

const NOW = 1_800_000_000_000;
const SOON = NOW / 1000 + 600;

test("a token holds for its purpose, its identity and its time", () => {
  const token = sign("ticket", "ip:192.0.2.1", SOON, "secret");
  assert.equal(verify("ticket", token, NOW, ["secret"]), "ip:192.0.2.1");
  assert.equal(verify("ticket", token, NOW, ["new", "secret"]), "ip:192.0.2.1", "while the secret is rotated");
  assert.equal(verify("pass", token, NOW, ["secret"]), undefined);
  assert.equal(verify("ticket", token, NOW, ["other"]), undefined);
  assert.equal(verify("ticket", token, NOW, []), undefined);
  assert.equal(verify("ticket", token, SOON * 1000, ["secret"]), undefined);
  const [name, , mac] = token.split(".");
  assert.equal(verify("ticket", `${name}.${SOON + 1}.${mac}`, NOW, ["secret"]), undefined);
  assert.equal(verify("ticket", `${Buffer.from("ip:192.0.2.2").toString("base64url")}.${SOON}.${mac}`, NOW, ["secret"]), undefined);
  for (const junk of ["", ".", "a.b", "..", `${name}.${SOON}.`, `${name}.1e12.${mac}`, `${token}.x`, "x".repeat(5000)])
    assert.equal(verify("ticket", junk, NOW, ["secret"]), undefined, junk.slice(0, 40));
});

test("there is no way back to another site", () => {
  for (const path of ["/", "/a/b?c=d&e=%2F%2Fx", "/a//b", "/@evil.example", "/a:b"]) assert.equal(returnPath(path), path);
  for (const evil of [undefined, "", "https://evil.example/", "//evil.example", "/\\evil.example", "\\/evil.example", "/\t/evil.example", "/a\r\nSet-Cookie: x=y", "/a\\b", "javascript:alert(1)", " /a", "/" + "a".repeat(3000), "/é"])
    assert.equal(returnPath(evil), "/", String(evil).slice(0, 40));
});

test("cookies are found by their whole name", () => {
  assert.equal(cookie(`a=b; ${PASS_COOKIE}=x.y=z ;c=d`, PASS_COOKIE), "x.y=z");
  assert.equal(cookie(`not${PASS_COOKIE}=x`, PASS_COOKIE), undefined);
  assert.equal(cookie(undefined, PASS_COOKIE), undefined);
});

test("the page gives a pass for ticket and right answer only", async () => {
  const captcha = { page: "/captcha", passSeconds: 1800, ticketSeconds: 600 };
  const ticket = sign("ticket", "ip:192.0.2.1", SOON, "secret");
  const right = async (answer: string) => answer === "right";
  const reply = await admit({ ticket, returnTo: "/search?q=1", answer: "right" }, captcha, ["secret"], NOW, right);
  assert.equal(reply.status, 303);
  assert.equal(reply.headers["Location"], "/search?q=1");
  const set = reply.headers["Set-Cookie"] ?? "";
  assert.match(set, /^__Host-ratelimit-pass=[^;]+; Path=\/; Max-Age=1800; Secure; HttpOnly; SameSite=Lax$/);
  const pass = cookie(set.split(";")[0], PASS_COOKIE) ?? "";
  assert.equal(verify("pass", pass, NOW + 1_799_000, ["secret"]), "ip:192.0.2.1");
  assert.equal(verify("pass", pass, NOW + 1_800_000, ["secret"]), undefined);
  const away = await admit({ ticket, returnTo: "//evil.example", answer: "right" }, captcha, ["secret"], NOW, right);
  assert.equal(away.headers["Location"], "/");
  for (const form of [{ ticket, answer: "wrong" }, { ticket: "", answer: "right" }, { ticket: pass, answer: "right" }])
    assert.equal((await admit({ returnTo: "/", ...form }, captcha, ["secret"], NOW, right)).status, 403);
});
