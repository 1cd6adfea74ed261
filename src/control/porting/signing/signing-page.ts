import { consentText, type LetterText } from './letter-text.js';

/** Everything from here, nothing inline, nowhere to be framed. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
  // The address of the page is the key to it.
  'referrer-policy': 'no-referrer',
} as const;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="/sign/page.css">
</head>
<body><main>
${body}
</main></body>
</html>
`;

/** A page that only says something. */
export const messagePage = (title: string, text: string): string =>
  page(title, `<h1>${escaped(title)}</h1>\n<p>${escaped(text)}</p>`);

/** The letter with the form that signs it. */
export function signingPage(
  token: string,
  letter: LetterText,
  sha256: string,
  problem?: { readonly message: string; readonly name: string },
): string {
  const fields = letter.fields.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`);
  const numbers = letter.numbers.map((number) => `<li>${escaped(number)}</li>`);
  const alert =
    problem === undefined ? '' : `<p role="alert" class="problem">${escaped(problem.message)}</p>`;
  return page(
    letter.title,
    `<h1>${escaped(letter.title)}</h1>
<dl>${fields.join('')}</dl>
<h2>Telephone numbers</h2>
<ul class="numbers">${numbers.join('')}</ul>
${letter.paragraphs.map((text) => `<p>${escaped(text)}</p>`).join('\n')}
<p><a href="/sign/${token}/letter.pdf" target="_blank" rel="noreferrer">Read the letter as PDF</a></p>
<h2>Sign</h2>
${alert}
<form method="post" action="/sign/${token}">
<input type="hidden" name="sha256" value="${sha256}">
<input type="hidden" name="drawing" value="">
<label>Your full name <input name="name" required maxlength="120" autocomplete="name" value="${escaped(problem?.name ?? '')}"></label>
<fieldset class="drawing" hidden>
<legend>Draw your signature, or leave it empty: then your typed name is your signature</legend>
<canvas width="600" height="200" aria-label="Area to draw a signature"></canvas>
<button type="button" data-clear>Clear the drawing</button>
</fieldset>
<label class="consent"><input type="checkbox" name="consent" value="yes" required> ${escaped(consentText)}</label>
<button type="submit">Sign the letter</button>
</form>
<p class="small">SHA-256 of the letter: <code>${sha256}</code>. The time, your network address and your browser are recorded with the signature.</p>
<script src="/sign/page.js" defer></script>`,
  );
}

export const pageStyle = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 42rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.125rem; margin-top: 2rem; }
dl { display: grid; grid-template-columns: minmax(9rem, auto) 1fr; gap: .25rem 1rem; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
.numbers { columns: 12rem; }
form { display: grid; gap: 1rem; }
label { display: grid; gap: .25rem; font-weight: 600; }
label.consent { display: flex; align-items: start; gap: .5rem; font-weight: 400; }
input[name=name] { font: inherit; padding: .5rem; }
canvas { width: 100%; max-width: 600px; aspect-ratio: 3; border: 1px solid GrayText; background: white; touch-action: none; display: block; }
button { font: inherit; padding: .5rem 1rem; justify-self: start; }
button[type=submit] { font-weight: 600; }
.problem { border-left: 4px solid #c00; padding-left: .75rem; }
.small { font-size: .8125rem; overflow-wrap: anywhere; }
`;

/** Runs in the browser: draws what the pointer writes, and puts it into the form as PNG. */
export const pageScript = `const fieldset = document.querySelector('.drawing');
const canvas = document.querySelector('canvas');
const form = document.querySelector('form');
const context = canvas.getContext('2d');
let isDrawn = false;
let isDown = false;
fieldset.hidden = false;
context.lineWidth = 3;
context.lineCap = 'round';
context.strokeStyle = '#111';
const place = (event) => {
  const box = canvas.getBoundingClientRect();
  return [((event.clientX - box.left) * canvas.width) / box.width, ((event.clientY - box.top) * canvas.height) / box.height];
};
canvas.addEventListener('pointerdown', (event) => {
  isDown = true;
  canvas.setPointerCapture(event.pointerId);
  context.beginPath();
  context.moveTo(...place(event));
});
canvas.addEventListener('pointermove', (event) => {
  if (!isDown) return;
  isDrawn = true;
  context.lineTo(...place(event));
  context.stroke();
});
canvas.addEventListener('pointerup', () => { isDown = false; });
document.querySelector('[data-clear]').addEventListener('click', () => {
  isDrawn = false;
  context.clearRect(0, 0, canvas.width, canvas.height);
});
form.addEventListener('submit', () => {
  form.elements.drawing.value = isDrawn ? canvas.toDataURL('image/png') : '';
});
`;
