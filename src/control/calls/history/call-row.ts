import { gzipSync } from 'node:zlib';
import { type Insertable, sql } from 'kysely';
import { smallCompressor } from '../../../base/compression.js';
import type { CallRecord } from '../../../contract/call-record.js';
import { contactNumber } from '../../../contract/contact-id.js';
import { parseAddress } from '../../../sip/address.js';
import { parseUri, userOf } from '../../../sip/uri.js';
import { storable } from '../../database/storable.js';
import { searchWordsOf } from './search-words.js';
import type { CallsTable } from './tables.js';

export interface CallRow extends Omit<Insertable<CallsTable>, 'search_tokens'> {
  /** PostgreSQL stores their hashes, `search_tokens`. */
  readonly search_words: readonly string[];
}

/**
 * Of zlib's levels the quickest for SIP text, a tenth larger than by the usual one. In the calling thread: handing a record to a thread
 * of the pool costs more than compressing it.
 */
const compression = { level: 3, ...smallCompressor } as const;

/** The row as Kysely inserts or updates it. */
export const columnsOf = ({ search_words: words, ...row }: CallRow) => ({
  ...row,
  search_tokens: sql<string[]>`call_tokens(${row.organization_id}, ${[...words]}::text[])`,
});

/**
 * The user of a From or To header's URI; its host where there is no user. A number is its digits, with or without plus as it was
 * sent, so that one spelling finds all of its calls.
 */
export function partyOf(header: string): string {
  const text = parseAddress(header)?.uri;
  const uri = text === undefined ? undefined : parseUri(text);
  if (uri === undefined) return '';
  const user = userOf(uri);
  if (user === undefined) return uri.kind === 'sip' ? uri.host : '';
  if (/^\+?\d*$/.test(user)) return user;
  return contactNumber(user) ?? user;
}

const longestName = 128;

/** The display name of a From or To header; null: none. */
export function nameOf(header: string): string | null {
  const name = parseAddress(header)?.displayName?.trim() ?? '';
  return name === '' ? null : storable(name.slice(0, longestName));
}

/** Of both sides; null: not reported. */
export function lowestMos(media: CallRecord['media']): number | null {
  const scores = [media?.trunk?.mos, media?.agent?.mos].filter((mos) => mos !== undefined);
  return scores.length === 0 ? null : Math.min(...scores);
}

/** @param json the record as received */
export function rowOf(record: CallRecord, json: string): CallRow {
  return {
    call_id: storable(record.call_id),
    organization_id: record.organization === null ? null : storable(record.organization),
    number: record.number === null ? null : storable(record.number),
    direction: record.direction,
    caller: storable(partyOf(record.from)),
    called: storable(partyOf(record.to)),
    party_name: nameOf(record.direction === 'inbound' ? record.from : record.to),
    sip_call_id: storable(record.sip_call_ids.trunk),
    source_address: storable(record.source.address),
    started_at: new Date(record.started_at),
    answered_at: record.answered_at === null ? null : new Date(record.answered_at),
    ended_at: new Date(record.ended_at),
    duration_milliseconds: record.duration_milliseconds,
    outcome: record.outcome,
    sip_status: record.sip_status,
    sip_reason: record.sip_reason === null ? null : storable(record.sip_reason),
    ended_by: record.ended_by,
    end_reason: record.end_reason,
    mos: lowestMos(record.media),
    test_run_id: record.test_run_id === undefined ? null : storable(record.test_run_id),
    search_words: searchWordsOf(record),
    record: gzipSync(json, compression),
  };
}
