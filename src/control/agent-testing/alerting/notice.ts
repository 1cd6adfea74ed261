/** What a mail and an SMS say. */
export interface Notice {
  readonly title: string;
  readonly text: string;
  readonly short: string;
}

const shortLength = 300;

/** @param problem null: it passes again, and `recovered` says what that means */
export function noticeOf(
  { name, problem }: { readonly name: string; readonly problem: string | null },
  { recovered, advice }: { readonly recovered: string; readonly advice: string },
  dashboardUrl: string,
): Notice {
  const title = problem === null ? `${name} passes again` : `${name} fails`;
  const what = problem ?? recovered;
  const link = ` ${dashboardUrl}`;
  const short = `Demarc TESTS: ${title}. ${what}`;
  const room = shortLength - link.length;
  return {
    title: `[Demarc] TESTS: ${title}`,
    text: `What: ${what}\nWhat to do: ${problem === null ? 'Nothing.' : advice}\n\nDashboard: ${dashboardUrl}\n`,
    short: `${short.length > room ? `${short.slice(0, room - 1)}…` : short}${link}`,
  };
}
