import { errors, warnings } from '../../src/errors.js';

/** The text of `docs/errors.md`, generated from the registry so that no code is missing. */
export function errorReference(): string {
  const entries = Object.entries(errors);
  const ofApi = entries.filter(([code]) => /^[A-Z]/.test(code));
  const ofCalls = entries.filter(([code]) => !/^[A-Z]/.test(code));
  const rows = (list: typeof entries): string =>
    list
      .map(
        ([code, { http, sip, text, docs }]) => `| \`${code}\` | ${http} | ${sip ?? ''} | ${text}. ${docs} |`,
      )
      .join('\n');
  return `# Errors

Generated from \`src/errors.ts\` by \`npm run docs:errors\`; do not edit. Codes are stable: programs may compare them.

## The HTTP API

Every error response is \`{"data": null, "errors": [{"error": CODE, "message": TEXT, "path": FIELD}]}\`. \`path\` comes with
\`VALIDATION_ERROR\` and names the field, such as \`directions.0.options.port\`, or is \`body\`, \`query\` or \`path\` if the whole is invalid.
An attach response, itself 200, uses the same codes in \`failed\`.

| code | HTTP | SIP | meaning and remedy |
|---|---|---|---|
${rows(ofApi)}

## Warnings

Codes of \`warnings\` in successful responses.

| code | meaning and remedy |
|---|---|
${Object.entries(warnings)
  .map(([code, { text, docs }]) => `| \`${code}\` | ${text}. ${docs} |`)
  .join('\n')}

## Calls

Reasons why the edge refuses calls.

| code | HTTP | SIP | meaning and remedy |
|---|---|---|---|
${rows(ofCalls)}
`;
}
