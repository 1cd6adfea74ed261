import { within } from '../../base/within.js';
import { learnsSources } from '../../contract/rtpengine-release.js';
import type { ControlDeps } from '../http/api-server.js';
import { InvalidRequest } from '../http/validation.js';
import type { DirectionRequest } from './direction-schema.js';

/** A change is accepted when Redis takes longer: the edges decide anyway. */
const waitMilliseconds = 1_000;

/**
 * Throws `InvalidRequest` when options turn symmetric RTP on and every known rtpengine would send the other side's voice to any sender.
 * @param path of the options in the request
 */
export async function requireSymmetricRtp(
  { mediaReleases }: Pick<ControlDeps, 'mediaReleases'>,
  options: { readonly symmetric_rtp?: boolean | null | undefined } | null | undefined,
  path: string,
): Promise<void> {
  if (options?.symmetric_rtp !== true || mediaReleases === undefined) return;
  const releases = (await within(waitMilliseconds, mediaReleases())) ?? [];
  if (releases.length === 0 || releases.some(learnsSources)) return;
  const found = [...new Set(releases)].sort().join(', ');
  throw InvalidRequest.at(
    `${path}.symmetric_rtp`,
    `Symmetric RTP requires rtpengine 26 or later, because earlier releases send the other side’s voice to any sender; every rtpengine has ${found}.`,
  );
}

/** The same for the directions of a request. */
export async function requireSymmetricDirections(
  deps: Pick<ControlDeps, 'mediaReleases'>,
  directions: readonly Pick<DirectionRequest, 'options'>[],
): Promise<void> {
  for (const [place, { options }] of directions.entries())
    await requireSymmetricRtp(deps, options, `directions.${place}.options`);
}
