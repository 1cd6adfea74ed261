import { errors } from '../../src/errors.js';

/** The text of `docs/errors.md`: made of the registry, so that no code can be missing in it. */
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

Made from \`src/errors.ts\` by \`npm run docs:errors\`; do not edit. Codes are stable: programs may compare them.

## The HTTP API

Every answer that is not 200 is \`{"data": null, "errors": [{"error": CODE, "message": TEXT, "path": FIELD}]}\`. \`path\` comes with
\`VALIDATION_ERROR\` and names the field, as \`directions.0.options.port\`; \`body\`, \`query\` or \`path\` when the whole of it is meant.
The same codes stand in \`failed\` and \`warnings\` of an attach answer, which is 200 itself.

| code | HTTP | SIP | what it means |
|---|---|---|---|
${rows(ofApi)}

## Calls

What the edge refuses calls for.

| code | HTTP | SIP | what it means |
|---|---|---|---|
${rows(ofCalls)}
`;
}
