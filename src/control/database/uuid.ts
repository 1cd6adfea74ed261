import { z } from 'zod';

/** Whether a column of UUIDs may be compared with the text: PostgreSQL refuses all other text. */
export const isUuid = (text: string): boolean => z.uuid().safeParse(text.toLowerCase()).success;
