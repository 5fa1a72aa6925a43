// Drives Firefox through the page; its argument is JSON with the browser, the address and the views.

import assert from "node:assert/strict";
import puppeteer from "puppeteer-core";

const { executable, url, views } = JSON.parse(process.argv[2]);
const MS = 60_000;
const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: executable,
  protocolTimeout: 240_000,
});
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(MS);
  const faults = [];
  const asked = new Set();
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (line) => line.type() === "error" && faults.push(line.text()));
  page.on("request", (request) => {
    if (!request.url().startsWith("data:")) asked.add(new URL(request.url()).origin);
  });
  await page.setViewport({ width: 1400, height: 1000 });
  const shows = (text) =>
    page.waitForFunction(
      (words) => document.getElementById("view").textContent.includes(words),
      {},
      text,
    );
  const click = (selector) => page.locator(selector).click();

  for (const [address, text] of views) {
    await page.goto(address);
    await shows(text);
  }
  await page.goto(`${url}/#/job/load/default`);
  await shows("Runs of load");
  // Each view has its own style, by @scope.
  await page.waitForFunction(
    () => getComputedStyle(document.querySelector(".lg-bars")).display === "flex",
  );

  await page.goto(`${url}/#/now`);
  await shows("the disk is full");
  await click("section[aria-label^='Failed'] tbody a");
  await shows("Add note");
  await page.goBack();
  await shows("Next 12 hours");

  await page.keyboard.press("/");
  await page.keyboard.type("repo");
  await click("ul[aria-label='Found'] a[href='#/job/report/default']");
  await shows("Runs of report");

  await page.goBack();
  await click("section[aria-label^='Failed'] tbody a");
  await page.locator("::-p-aria(Reason or note)").fill("the vendor was asked");
  await click("::-p-aria(Acknowledge)");
  await shows("acknowledged by");

  assert.deepEqual(faults, []);
  assert.deepEqual([...asked], [url]);
} finally {
  await browser.close();
}
