import { sql } from 'kysely';
import { badAudioReasons } from '../../contract/audio-defect.js';

const reasons = sql.join(badAudioReasons.map((reason) => sql.lit(reason)));

/** `hasBadAudio` of a row with an outcome and an end reason; the index `calls_audio_problem_page` has the same condition. */
export const endedWithBadAudio = sql<boolean>`(end_reason in (${reasons}) or (end_reason = 'media_failed' and outcome = 'completed'))`;
