// What the server behind the CAPTCHA page does once a visitor has answered: checks ticket and answer, and sends
// the visitor back with a pass. It runs wherever that page runs, not at the edge; `secrets` are those of the
// table's item "captcha-secret", `correct` asks the CAPTCHA's maker (or is true where AWS WAF's own CAPTCHA
// action stands before the page).
import type { Captcha } from "./config-type.js";
import { PASS_COOKIE, returnPath, sign, verify } from "./pass.js";

export interface Form {
  ticket: string;
  /** The parameter `return` of the page's address. */
  returnTo: string | undefined;
  answer: string;
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
}

export async function admit(
  form: Form,
  captcha: Captcha,
  secrets: string[],
  now: number,
  correct: (answer: string) => Promise<boolean>,
): Promise<Reply> {
  const refused: Reply = { status: 403, headers: { "Cache-Control": "no-store" } };
  const identity = verify("ticket", form.ticket, now, secrets);
  const secret = secrets[0];
  if (identity === undefined || secret === undefined || !(await correct(form.answer))) return refused;
  const expires = Math.floor(now / 1000) + captcha.passSeconds;
  const pass = sign("pass", identity, expires, secret);
  return {
    status: 303,
    headers: {
      "Location": returnPath(form.returnTo),
      "Set-Cookie": `${PASS_COOKIE}=${pass}; Path=/; Max-Age=${captcha.passSeconds}; Secure; HttpOnly; SameSite=Lax`,
      "Cache-Control": "no-store",
    },
  };
}
