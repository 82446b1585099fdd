import {AppError, type InputError} from '../../domain/core/errors.js';

/** Refuses a request that accepts none of the operation's media types. Errors: `not_acceptable`. */
export function requireAcceptable(accept: string | undefined, mediaTypes: readonly string[]): void {
  if (mediaTypes.some((mediaType) => acceptsMediaType(accept, mediaType))) return;
  const names = mediaTypes.join(' or ');
  const inputError: InputError = {code: 'not_acceptable', detail: `must allow ${names}`, header: 'Accept'};
  throw new AppError('not_acceptable', `This address returns ${names}, which \`Accept\` does not allow.`, {
    inputErrors: [inputError],
  });
}

/** True if `Accept` allows a media type. The most specific entry decides (RFC 9110 section 12.5.1). */
export function acceptsMediaType(accept: string | undefined, mediaType: string): boolean {
  // An empty `Accept` header counts as absent.
  if (accept === undefined || accept === '' || accept === '*/*' || accept === mediaType) return true;
  const weight = parseWeights(accept);
  const group = `${mediaType.slice(0, mediaType.indexOf('/'))}/*`;
  return (weight(mediaType) ?? weight(group) ?? weight('*/*') ?? 0) > 0;
}

/** True if `Accept-Encoding` allows a coding and does not prefer none (RFC 9110 section 12.5.3). */
export function acceptsCompression(acceptEncoding: string | undefined, coding: 'br' | 'gzip'): boolean {
  if (acceptEncoding === undefined) return false;
  const weight = parseWeights(acceptEncoding);
  const packed = weight(coding) ?? weight(`x-${coding}`) ?? weight('*') ?? 0;
  return packed > 0 && packed >= (weight('identity') ?? 0);
}

export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return acceptsCompression(acceptEncoding, 'gzip');
}

/** Parses the weights (`q`) in a header. Names are in lower case; an absent name has the weight undefined. */
function parseWeights(header: string): (name: string) => number | undefined {
  const choices = header
    .toLowerCase()
    .split(',')
    .map((choice) => choice.split(';').map((part) => part.trim()));
  return (name) => {
    const found = choices.find(([given]) => given === name);
    return found === undefined
      ? undefined
      : Number(found.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
  };
}
