import type { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import { z } from 'zod';
import type { ApiServer } from '../http/api-server.js';
import { answers, success } from '../http/envelope.js';
import { InvalidRequest } from '../http/validation.js';
import { mediaTypes } from './documents/document-inspection.js';
import { DocumentRefused } from './documents/document-refused.js';
import { addDocument } from './documents/document-storage.js';
import type { PortingDeps } from './porting-deps.js';
import { portingTags as tags } from './routes.js';

export const maximumDocumentOctets = 10 * 1024 * 1024;
/** Around the file: boundaries and part headers. */
const formOctets = 16 * 1024;

/** A slow mobile line; the largest file takes about eleven minutes with it. */
const slowestOctetsPerSecond = 16 * 1024;

/** `POST /sip/port/document`: streams a file through inspection and encryption into the store. */
export async function documentRoutes(server: ApiServer, deps: PortingDeps): Promise<void> {
  const { database, documents } = deps;
  await server.register(multipart, {
    limits: { files: 1, fileSize: maximumDocumentOctets, fields: 10, fieldSize: 1_024, parts: 11 },
    throwFileSizeLimit: false,
  });
  server.post(
    '/sip/port/document',
    {
      config: { takesIdempotencyKey: false, slowestOctetsPerSecond },
      bodyLimit: maximumDocumentOctets + formOctets,
      // The file streams by; what the schema says is for the description.
      validatorCompiler: () => () => true,
      schema: {
        operationId: 'uploadPortDocument',
        errors: ['SECRET_KEY_MISSING', 'DOCUMENTS_UNAVAILABLE'],
        tags,
        summary: 'Upload a bill or an invoice',
        description:
          'A utility bill or an invoice of the losing carrier, not older than 30 days, with account name and service address. PDF, JPEG, PNG, GIF or WebP, at most 10 MB, recognized by its content. It is stored encrypted. An `Idempotency-Key` has no effect: each upload is a document, and unused ones are deleted after 30 days.',
        consumes: ['multipart/form-data'],
        body: z.strictObject({ file: z.file().meta({ description: 'The document.' }) }),
        example: { file: 'invoice.pdf' },
        response: answers(
          z.object({
            document_sid: z
              .string()
              .meta({ description: 'Id of the document.', examples: ['doc_0123456789abcdef01234567'] }),
            media_type: z.enum(mediaTypes).meta({ description: 'Its type, detected from its content.' }),
            size: z.int().meta({ description: 'Octets.' }),
          }),
        ),
      },
    },
    async (request) => {
      const { caller } = request;
      if (!request.isMultipart()) throw noFile('Send the document as multipart/form-data, part `file`.');
      const part = await request.file().catch((error: Error) => {
        throw noFile(`The form is not valid: ${error.message}.`);
      });
      if (part === undefined || part.fieldname !== 'file') {
        part?.file.resume();
        throw noFile('The form has no part `file`.');
      }
      const file: Readable & { truncated: boolean } = part.file;
      try {
        const kept = await documents.keep(caller.organizationId, file);
        if (file.truncated) {
          await documents.discard(kept.id);
          throw tooLarge();
        }
        await addDocument(database, kept, {
          organization_id: caller.organizationId,
          kind: 'proof',
          request_id: null,
        });
        return success({ document_sid: kept.id, media_type: kept.mediaType, size: kept.octets });
      } catch (error) {
        file.resume();
        if (file.truncated) throw tooLarge();
        if (error instanceof DocumentRefused) throw noFile(error.message);
        throw error;
      }
    },
  );
}

const noFile = (message: string): InvalidRequest => InvalidRequest.at('file', message);
const tooLarge = (): InvalidRequest => noFile('The file is too large: the maximum is 10 MB.');
