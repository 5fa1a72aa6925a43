// Addresses of the views within the page: `#/run/ID`, `#/job/NAME/NAMESPACE`.

/** Return the address of a view and what it shows. */
export function address(view, ...parts) {
  return `#/${[view, ...parts].map(encodeURIComponent).join("/")}`;
}

/** Return the view and what it shows, of an address. */
export function readAddress(hash) {
  const [view, ...parts] = hash
    .replace(/^#?\/?/, "")
    .split("/")
    .map(decode);
  return { view: view || "now", parts };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
