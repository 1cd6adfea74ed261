import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../src/testkit/waiting.js';
import { launchBrowser, Visitor } from '../../test/e2e/browser.js';
import { root } from '../setup/bootstrap.mjs';
import { Clinic } from './clinic.js';
import {
  type ColourScheme,
  colourSchemes,
  fileOf,
  maximumOctets,
  type PictureName,
  pictures,
  picturesFolder,
} from './pictures.js';

const desk = { width: 1_440, height: 900 } as const;
const webpQuality = 80;
/** Plots are drawn again in other colours by an effect, which runs after a frame. */
const repainted = `new Promise((resolve) => {
  let frames = 0;
  const count = () => (++frames === 10 ? resolve() : requestAnimationFrame(count));
  requestAnimationFrame(count);
})`;

/** `npm run pictures`: writes the pictures of the documents. */
async function main(): Promise<void> {
  const clinic = await Clinic.open();
  try {
    const browser = await launchBrowser();
    try {
      const visitor = await Visitor.arrive(browser, clinic.system.ready.http.url);
      await visitor.page.setViewportSize(desk);
      await visitor.signIn(clinic.system.ready.http.apiKey);
      await takeAll(clinic, visitor);
      if (visitor.problems.length > 0) throw new Error(visitor.problems.join('\n'));
    } finally {
      await browser.close();
    }
  } finally {
    await clinic.close();
  }
}

async function takeAll(clinic: Clinic, visitor: Visitor): Promise<void> {
  const { page } = visitor;
  const pathwayId = await clinic.addPathway();
  const runId = await clinic.test(pathwayId);
  const callId = await clinic.talk();
  await clinic.takeCalls();

  await visitor.open(addressOf('overview'));
  await page.getByRole('button', { name: 'Hide', exact: true }).click();
  await page.getByRole('link', { name: '488 SDP offer not acceptable' }).first().waitFor();
  // Each panel is read on its own, so that one could show less than another.
  await visitor.open(addressOf('overview'));
  await page
    .getByText(/calls succeeded in/)
    .nth(1)
    .waitFor();
  await take('overview', visitor);

  await visitor.open(addressOf('call', callId));
  await page.getByText('Completed', { exact: true }).first().waitFor();
  await take('call', visitor);

  await visitor.open(addressOf('add-number'));
  await page.getByLabel('Phone number, E.164').fill('+12025550164');
  await page.getByText('Can be added').waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Address', { exact: true }).fill(/127[^;]+/.exec(clinic.pbx)![0]);
  await page.getByRole('button', { name: 'Discover', exact: true }).click();
  await page.getByRole('region', { name: 'Discovery' }).getByText('Found', { exact: true }).waitFor();
  await take('add-number', visitor);

  await visitor.open(addressOf('test-run', runId));
  await page.getByText('Passed', { exact: true }).first().waitFor();
  await take('test-run', visitor);

  await visitor.open(addressOf('pathway', pathwayId, '1'));
  await page.locator('[data-node=booking]').click();
  await take('pathway', visitor);
}

/** The route of a picture with these values for its parameters. */
function addressOf(name: PictureName, ...values: readonly string[]): string {
  const left = [...values];
  return pictures[name].route.replaceAll(/:\w+/g, () => left.shift()!);
}

async function take(name: PictureName, visitor: Visitor): Promise<void> {
  const { page } = visitor;
  const loading = page.getByText(/^Loading/);
  await until(async () => (await loading.count()) === 0, 20_000, `${name} without what is loading`);
  await page.evaluate('scrollTo(0, 0); document.activeElement?.blur()');
  for (const scheme of colourSchemes) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.evaluate(repainted);
    write(name, scheme, await captured(visitor));
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** What the window shows, as WebP, which Playwright does not write. */
async function captured({ context, page }: Visitor): Promise<Buffer> {
  const session = await context.newCDPSession(page);
  try {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: webpQuality });
    return Buffer.from(data, 'base64');
  } finally {
    await session.detach();
  }
}

function write(name: PictureName, scheme: ColourScheme, picture: Buffer): void {
  const file = join(picturesFolder, fileOf(name, scheme));
  if (picture.length > maximumOctets) throw new Error(`${file} has ${picture.length} octets.`);
  mkdirSync(join(root, picturesFolder), { recursive: true });
  writeFileSync(join(root, file), picture);
  process.stdout.write(`${file}: ${picture.length} octets\n`);
}

await main();
process.exit();
