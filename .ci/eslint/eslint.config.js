// Names in JavaScript: none undefined, none twice, none unused. .ci/eslint/scripts.py writes what is linted.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import globals from "globals";

const names = JSON.parse(readFileSync(resolve("names.json"), "utf8"));
const readonly = (list) => Object.fromEntries(list.map((name) => [name, "readonly"]));

export default [
  {
    linterOptions: { reportUnusedDisableDirectives: "off" },
    languageOptions: { sourceType: "script", globals: { ...globals.browser, Bokeh: "readonly", kvCacheTools: "readonly" } },
    rules: {
      "no-undef": "error",
      "no-redeclare": "error",
      "no-unused-vars": ["error", { caughtErrors: "none" }],
    },
  },
  // An act alone is loaded as a module; the modules as they are written must import what they use.
  { files: ["act.js", "written/**"], languageOptions: { sourceType: "module" } },
  // What an act alone shares with the page, it need not use.
  { files: ["act.js"], rules: { "no-unused-vars": "off" } },
  { files: ["written/**"], languageOptions: { globals: readonly(names) } },
];
