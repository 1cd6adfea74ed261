import { loadFunctions } from '../../base/native-functions.js';

/** An address in memory, or 0. */
export type Pointer = number;

/**
 * OpenSSL as Node.js has it: its program exports the functions. Only those that take opaque objects are used, which are the same in all
 * 3.x versions.
 */
export interface OpenSsl {
  OpenSSL_version_num(): number;
  TLS_client_method(): Pointer;
  SSL_CTX_new(method: Pointer): Pointer;
  SSL_CTX_set_options(context: Pointer, options: number): number;
  SSL_CTX_ctrl(context: Pointer, command: number, value: number, argument: Pointer): number;
  SSL_CTX_set_cipher_list(context: Pointer, ciphers: string): number;
  SSL_CTX_set_ciphersuites(context: Pointer, ciphers: string): number;
  SSL_CTX_set_verify(context: Pointer, mode: number, callback: Pointer): void;
  SSL_CTX_get_cert_store(context: Pointer): Pointer;
  X509_STORE_add_cert(store: Pointer, certificate: Pointer): number;
  X509_free(certificate: Pointer): void;
  BIO_new_mem_buf(octets: Buffer, length: number): Pointer;
  BIO_free(bio: Pointer): number;
  PEM_read_bio_X509(bio: Pointer, into: Pointer, callback: Pointer, argument: Pointer): Pointer;
  SSL_new(context: Pointer): Pointer;
  SSL_free(connection: Pointer): void;
  SSL_set_fd(connection: Pointer, descriptor: number): number;
  SSL_ctrl(connection: Pointer, command: number, value: number, text: string): number;
  SSL_set1_host(connection: Pointer, host: string): number;
  SSL_set_hostflags(connection: Pointer, flags: number): void;
  SSL_get0_param(connection: Pointer): Pointer;
  X509_VERIFY_PARAM_set1_ip_asc(parameters: Pointer, address: string): number;
  SSL_connect(connection: Pointer): number;
  SSL_read(connection: Pointer, octets: Buffer, length: number): number;
  SSL_write(connection: Pointer, octets: Buffer, length: number): number;
  SSL_has_pending(connection: Pointer): number;
  SSL_shutdown(connection: Pointer): number;
  SSL_get_error(connection: Pointer, result: number): number;
  SSL_get_verify_result(connection: Pointer): number;
  X509_verify_cert_error_string(result: number): string;
  ERR_clear_error(): void;
  ERR_get_error(): number;
  ERR_reason_error_string(error: number): string | null;
}

const prototypes: Readonly<Record<keyof OpenSsl, string>> = {
  OpenSSL_version_num: 'unsigned long OpenSSL_version_num()',
  TLS_client_method: 'uintptr_t TLS_client_method()',
  SSL_CTX_new: 'uintptr_t SSL_CTX_new(uintptr_t method)',
  SSL_CTX_set_options: 'uint64_t SSL_CTX_set_options(uintptr_t context, uint64_t options)',
  SSL_CTX_ctrl: 'long SSL_CTX_ctrl(uintptr_t context, int command, long value, uintptr_t argument)',
  SSL_CTX_set_cipher_list: 'int SSL_CTX_set_cipher_list(uintptr_t context, const char *ciphers)',
  SSL_CTX_set_ciphersuites: 'int SSL_CTX_set_ciphersuites(uintptr_t context, const char *ciphers)',
  SSL_CTX_set_verify: 'void SSL_CTX_set_verify(uintptr_t context, int mode, uintptr_t callback)',
  SSL_CTX_get_cert_store: 'uintptr_t SSL_CTX_get_cert_store(uintptr_t context)',
  X509_STORE_add_cert: 'int X509_STORE_add_cert(uintptr_t store, uintptr_t certificate)',
  X509_free: 'void X509_free(uintptr_t certificate)',
  BIO_new_mem_buf: 'uintptr_t BIO_new_mem_buf(const uint8_t *octets, int length)',
  BIO_free: 'int BIO_free(uintptr_t bio)',
  PEM_read_bio_X509:
    'uintptr_t PEM_read_bio_X509(uintptr_t bio, uintptr_t into, uintptr_t callback, uintptr_t argument)',
  SSL_new: 'uintptr_t SSL_new(uintptr_t context)',
  SSL_free: 'void SSL_free(uintptr_t connection)',
  SSL_set_fd: 'int SSL_set_fd(uintptr_t connection, int descriptor)',
  SSL_ctrl: 'long SSL_ctrl(uintptr_t connection, int command, long value, const char *text)',
  SSL_set1_host: 'int SSL_set1_host(uintptr_t connection, const char *host)',
  SSL_set_hostflags: 'void SSL_set_hostflags(uintptr_t connection, unsigned int flags)',
  SSL_get0_param: 'uintptr_t SSL_get0_param(uintptr_t connection)',
  X509_VERIFY_PARAM_set1_ip_asc:
    'int X509_VERIFY_PARAM_set1_ip_asc(uintptr_t parameters, const char *address)',
  SSL_connect: 'int SSL_connect(uintptr_t connection)',
  SSL_read: 'int SSL_read(uintptr_t connection, uint8_t *octets, int length)',
  SSL_write: 'int SSL_write(uintptr_t connection, const uint8_t *octets, int length)',
  SSL_has_pending: 'int SSL_has_pending(uintptr_t connection)',
  SSL_shutdown: 'int SSL_shutdown(uintptr_t connection)',
  SSL_get_error: 'int SSL_get_error(uintptr_t connection, int result)',
  SSL_get_verify_result: 'long SSL_get_verify_result(uintptr_t connection)',
  X509_verify_cert_error_string: 'const char *X509_verify_cert_error_string(long result)',
  ERR_clear_error: 'void ERR_clear_error()',
  ERR_get_error: 'unsigned long ERR_get_error()',
  ERR_reason_error_string: 'const char *ERR_reason_error_string(unsigned long error)',
};

/** The versions whose functions the prototypes are. */
const majorVersion = 3;

/** Throws where the program of Node.js does not export them. */
export function loadOpenSsl(): OpenSsl {
  const functions = loadFunctions<OpenSsl>(prototypes);
  const major = functions.OpenSSL_version_num() >>> 28;
  if (major !== majorVersion) throw new Error(`not offered for OpenSSL ${major}`);
  return functions;
}
