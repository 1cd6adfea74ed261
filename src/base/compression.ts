/** For small texts, one compressor each: a third of zlib's usual memory, which V8 counts as garbage each time. */
export const smallCompressor = { memLevel: 6, chunkSize: 4_096 } as const;
