import {z} from 'zod';
import {AppError, type Fault} from '../domain/errors.js';

/** Validates a body. Errors: `validation_failed`, with one fault for each wrong, missing or unknown member. */
export function parseBody<T>(schema: z.ZodType<T>, value: unknown): T {
  // With the input, so that a wrong type is told from a missing member.
  const result = schema.safeParse(value, {reportInput: true, error: explain});
  if (result.success) return result.data;
  const faults = firstOfEach(result.error.issues.flatMap(bodyFaults));
  throw new AppError('validation_failed', summary(faults), {faults});
}

/** Validates a query string. Errors: `invalid_parameter`, also for a parameter that is unknown, given twice or wrongly encoded. */
export function parseQuery<T>(schema: z.ZodType<T>, search: string): T {
  // Without a prototype, or a parameter named `__proto__` would vanish unseen.
  const given = Object.create(null) as Record<string, string>;
  const faults: Fault[] = [];
  if (search !== '') {
    requireEncoding(search);
    for (const [name, value] of new URLSearchParams(search)) {
      if (Object.hasOwn(given, name)) faults.push(parameterFault(name, 'is given more than once'));
      else given[name] = value;
    }
  }
  const result = schema.safeParse(given, {error: explain});
  if (result.success && faults.length === 0) return result.data;
  for (const issue of result.error?.issues ?? []) faults.push(...queryFaults(issue));
  throw new AppError('invalid_parameter', summary(faults), {faults});
}

/** `URLSearchParams` puts a replacement character where the bytes are no UTF-8, so that two different queries would look the same. */
function requireEncoding(search: string): void {
  if (!search.includes('%')) return;
  for (const pair of search.split('&')) {
    try {
      decodeURIComponent(pair);
    } catch {
      const name = /^[\w.-]{1,40}(?==)/.exec(pair)?.[0] ?? 'the query';
      const fault = parameterFault(name, 'is not percent-encoded UTF-8');
      throw new AppError('invalid_parameter', fault.detail, {faults: [fault]});
    }
  }
}

type Issue = z.core.$ZodIssue;

/** A value of the wrong type fails further rules, which say nothing true of it. */
function firstOfEach(faults: readonly Fault[]): Fault[] {
  const seen = new Set<string | undefined>();
  return faults.filter(({pointer}) => seen.size < seen.add(pointer).size);
}

function bodyFaults(issue: Issue): Fault[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const whole = path.length === 0 ? 'the body' : `\`${path.join('.')}\``;
    return issue.keys.map((key) =>
      bodyFault([...path, key], `is not a member of ${whole}, ${issue.message}`),
    );
  }
  return [bodyFault(path, reason(issue))];
}

function bodyFault(path: readonly string[], problem: string): Fault {
  const name = path.length === 0 ? 'The body' : `\`${path.join('.')}\``;
  return {code: 'validation_failed', detail: `${name} ${problem}.`, pointer: pointerOf(path)};
}

function queryFaults(issue: Issue): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) =>
      parameterFault(key, `is not a parameter of this request, ${issue.message}`),
    );
  }
  return [parameterFault(String(issue.path[0] ?? ''), reason(issue))];
}

function parameterFault(parameter: string, problem: string): Fault {
  return {code: 'invalid_parameter', detail: `\`${parameter}\` ${problem}.`, parameter};
}

/** Said by what the schema knows and the issue does not tell: which names and values would have been right. */
function explain(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject) {
    const known = Object.keys(issue.inst.shape);
    return known.length === 0
      ? 'which has none'
      : `which has ${known.map((name) => `\`${name}\``).join(', ')}`;
  }
  if (issue.code === 'invalid_union' && Array.isArray(issue['options'])) {
    return `must be one of ${issue['options'].join(', ')}`;
  }
  return undefined;
}

/** What is wrong, as the rest of a sentence that begins with the member's name. */
function reason(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return `is required (${typeNames[issue.expected] ?? issue.expected})`;
      return isOurs(issue.message)
        ? issue.message
        : `must be of type ${typeNames[issue.expected] ?? issue.expected}`;
    case 'invalid_key':
      return said(issue.issues[0]?.message ?? issue.message);
    default:
      return said(issue.message);
  }
}

/** What clients call the types that the schemas name otherwise. */
const typeNames: Readonly<Record<string, string>> = {record: 'object', int: 'integer'};

/** Whether a schema has said it, and not the library. */
function isOurs(message: string): boolean {
  return /^(must|is|has|names|cannot) /.test(message);
}

function said(message: string): string {
  return isOurs(message) ? message : lower(message);
}

function lower(message: string): string {
  return `is not valid (${message.charAt(0).toLowerCase()}${message.slice(1)})`;
}

/** URI-fragment JSON Pointer (RFC 6901 section 6). */
function pointerOf(path: readonly string[]): string {
  return `#${path.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;
}

function summary(faults: readonly Fault[]): string {
  return faults.map(({detail}) => detail).join(' ');
}
