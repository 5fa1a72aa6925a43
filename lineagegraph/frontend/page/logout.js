// The button that ends the session of a browser.

import { make } from "../dom.js";
import { logOut, watchCaller } from "./web.js";

const FAILED = "You are still logged in: the server cannot be reached. Try again.";

/** Return the button, hidden until the server answers a token or user. */
export function logoutButton() {
  const button = make("button", { type: "button", class: "page-logout", hidden: true }, "Log out");
  button.addEventListener("click", async () => {
    try {
      await logOut();
    } catch {
      button.textContent = FAILED;
      return;
    }
    // What the page has read is not for the next person.
    location.reload();
  });
  watchCaller((name) => {
    button.hidden = !name;
    button.title = `Logged in as ${name}`;
  });
  return button;
}
