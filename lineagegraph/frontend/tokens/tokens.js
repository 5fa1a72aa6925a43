// Tokens of the server: make one, which is shown once, list and revoke them.

import { confirmed, hasFocus, make, nothing, table, titleBar } from "../dom.js";
import { actForm, field, select } from "../fields.js";
import { formatMoment } from "../format.js";
import { panel } from "../panel.js";

const ROLES = [
  ["read", "read: see everything of the namespaces"],
  ["write", "write: send events"],
  ["operate", "operate: start, stop and change"],
  ["admin", "admin: audit log and tokens"],
];
const EVERY_MS = 10_000;
const REVOKE = "Revoke";
const HEAD = ["Name", "Rights", "Made", "Expires", "Last used", ""];

export function tokens(host) {
  const { root, ask, askNewest, report, loaded, every, leave } = panel(host, "tokens", "Tokens");
  const name = make("input", { required: true, maxlength: "200", placeholder: "team or program" });
  const role = select(ROLES);
  const where = make("input", { type: "text", required: true, placeholder: "sales, or * for all" });
  const days = make("input", { type: "number", min: "1", placeholder: "no end" });
  const made = make("div", { class: "lg-made", role: "status", hidden: true });
  const list = make("div", { class: "lg-group lg-cards lg-labels" });
  const fields = [
    field("Name", name),
    field("Role", role),
    field("Namespace", where),
    field("Valid for days", days),
  ];
  const form = actForm("Make a token", fields, "Make token", { send, report });
  form.classList.replace("lg-act", "lg-admin");
  root.append(titleBar("Tokens"), form, made, list);

  async function send() {
    const token = await ask("add", {
      name: name.value,
      roles: [role.value],
      namespaces: where.value.split(/[\s,]+/).filter(Boolean),
      days: days.value ? Number(days.value) : null,
    });
    report(null);
    const code = make("code", { tabindex: "0", "aria-label": "The new token" }, token);
    made.replaceChildren(`The token of ${name.value}, shown only now: `, code);
    made.hidden = false;
    name.value = "";
    await load();
  }

  async function load() {
    try {
      const found = await askNewest("tokens");
      if (!found) return;
      loaded();
      const focused = revokes().find(hasFocus)?.title;
      list.replaceChildren(
        found.length
          ? table(HEAD, found.map(row))
          : nothing("No tokens yet. The form above makes one."),
      );
      if (focused)
        revokes()
          .find((one) => one.title === focused)
          ?.focus();
    } catch (error) {
      loaded(error);
    }
  }

  function revokes() {
    return [...list.querySelectorAll("button")];
  }

  /** Return whether a button is pressed or asks once more: the token under it must not change. */
  function isBusy() {
    return list.matches(":active") || revokes().some((one) => one.textContent !== REVOKE);
  }

  function row(token) {
    return [
      token.name,
      token.covers.join(", "),
      formatMoment(token.created_at),
      token.expires_at ? formatMoment(token.expires_at) : "never",
      token.used_at ? formatMoment(token.used_at) : "never",
      revokeButton(token),
    ];
  }

  /** Make a button that asks once more: programs that use the token stop working. */
  function revokeButton(token) {
    const end = async () => {
      try {
        await ask("revoke", { name: token.name, created_at: token.created_at });
        report(`${token.name} is revoked.`);
        await load();
      } catch (error) {
        await load();
        report(error.message);
      }
    };
    const revoke = confirmed(REVOKE, end, "lg-admin");
    revoke.title = `${REVOKE} ${token.name}`;
    return revoke;
  }

  every(EVERY_MS, () => isBusy() || load(), false);
  load();
  return leave;
}
