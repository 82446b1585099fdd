import {z} from 'zod';
import {AppError, type InputError, toRefusalOfFields} from '../../domain/core/errors.js';
import {limits} from '../../domain/core/limits.js';
import {lostNumberMessage} from '../../domain/core/numbers.js';
import {countCodePoints, suggestNearMatches} from '../../domain/core/text.js';
import {LostNumber} from './parse-json.js';

/**
 * Validates a body. Errors: `validation_failed`, with an entry for each wrong, missing or unknown field, as
 * far as there is room. Errors from `alsoWrong` are added if the schema refuses the body.
 */
export function parseBody<T>(
  schema: z.ZodType<T>,
  value: unknown,
  alsoWrong: (value: unknown) => readonly InputError[] = () => [],
): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  // Parses an invalid body again with the input in the errors, which would be slow for valid bodies.
  const {error} = schema.safeParse(value, {reportInput: true, error: explainIssue});
  const issues = keepFirstIssuePerPath(
    (error?.issues ?? []).flatMap((issue) => [issue, ...findIssuesInEveryVariant(issue, schema)]),
  );
  const pointers = new Set(issues.map(({path}) => createJsonPointer(path.map(String))));
  const more = alsoWrong(value).filter(({pointer = ''}) => !pointers.has(pointer));
  throw toRefusalOfFields('validation_failed', listBodyErrors(issues, schema, more));
}

function* listBodyErrors(
  issues: readonly Issue[],
  schema: z.ZodType,
  more: readonly InputError[],
): Iterable<InputError> {
  yield* listInputErrors(issues, (issue) => describeBodyErrors(issue, schema));
  yield* more;
}

/** Validates a query. Errors: `invalid_parameter`, also if unknown, given twice or wrongly encoded. */
export function parseQuery<T>(schema: z.ZodType<T>, search: string): T {
  // The object has no prototype, because a parameter named `__proto__` would otherwise be lost.
  const given = Object.create(null) as Record<string, string>;
  const repeated = new Set<string>();
  if (search !== '') {
    requireUtf8Encoding(search);
    for (const [name, value] of new URLSearchParams(search)) {
      if (Object.hasOwn(given, name)) repeated.add(name);
      else given[name] = value;
    }
  }
  const result = schema.safeParse(given, {reportInput: true, error: explainIssue});
  if (result.success && repeated.size === 0) return result.data;
  throw toRefusalOfFields('invalid_parameter', listQueryErrors(repeated, result.error?.issues ?? [], schema));
}

function* listQueryErrors(
  repeated: Iterable<string>,
  issues: readonly Issue[],
  schema: z.ZodType,
): Iterable<InputError> {
  for (const name of repeated) yield describeQueryError(name, {problem: 'is given more than once'});
  yield* listInputErrors(issues, (issue) => describeQueryErrors(issue, schema));
}

/** Returns errors with short paths first: if there are too many, those of whole lists tell more. */
function* listInputErrors(
  issues: readonly Issue[],
  describe: (issue: Issue) => Iterable<InputError>,
): Iterable<InputError> {
  const inOrder =
    issues.length > limits.inputErrors ? issues.toSorted((a, b) => a.path.length - b.path.length) : issues;
  for (const issue of inOrder) yield* describe(issue);
}

/** Refuses text that is not UTF-8: with its bytes replaced, two different queries would look the same. */
function requireUtf8Encoding(search: string): void {
  if (!search.includes('%')) return;
  for (const pair of search.split('&')) {
    try {
      decodeURIComponent(pair);
    } catch {
      const name = /^[\w.-]{1,40}(?==)/.exec(pair)?.[0] ?? 'the query';
      const inputError = describeQueryError(name, {problem: 'is not percent-encoded UTF-8'});
      throw new AppError('invalid_parameter', inputError.detail, {inputErrors: [inputError]});
    }
  }
}

type Issue = z.core.$ZodIssue;

/** Keeps the first error of each path. After a wrong type, later rules fail too, with misleading messages. */
function keepFirstIssuePerPath(issues: readonly Issue[]): Issue[] {
  const seen = new Set<string>();
  return issues.filter(
    ({code, path}) => code === 'unrecognized_keys' || seen.size < seen.add(JSON.stringify(path)).size,
  );
}

/**
 * Returns the errors of a value when it is unknown which variant of its schema was meant. Only errors that
 * all variants find are reported, with the message of the first variant that has the field.
 */
function findIssuesInEveryVariant(issue: Issue, schema: z.ZodType): Issue[] {
  if (issue.code !== 'invalid_union' || typeof issue.input !== 'object') return [];
  const parentPath = issue.path.slice(0, -1);
  const union = findSchemaAt(schema, parentPath);
  if (!(union instanceof z.ZodDiscriminatedUnion)) return [];
  const {discriminator} = union.def;
  const forms = union.options.map((form) =>
    findIssuesInVariant(form as z.ZodObject, discriminator, issue.input),
  );
  const [first = new Map<string, Issue>(), ...others] = forms;
  return [...first].flatMap(([key, own]) => {
    const found = [own, ...others.flatMap((form) => form.get(key) ?? [])];
    if (found.length < forms.length) return [];
    const known = found.find(({code}) => code !== 'unrecognized_keys');
    return [{...(known ?? describeUnknownField(found)), path: [...parentPath, ...(known ?? own).path]}];
  });
}

/**
 * Returns the errors of a value that is checked as one variant of its schema, by their path. Each unknown
 * field has its own entry.
 */
function findIssuesInVariant(form: z.ZodObject, discriminator: string, input: unknown): Map<string, Issue> {
  const [tag] = (form.shape[discriminator] as z.ZodLiteral).values;
  const {error} = form.safeParse(
    {...(input as object), [discriminator]: tag},
    {reportInput: true, error: explainIssue},
  );
  const wrong = new Map<string, Issue>();
  for (const issue of error?.issues ?? []) {
    const apart: Issue[] =
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => ({...issue, keys: [key]})) : [issue];
    for (const one of apart) {
      const key = JSON.stringify(one.code === 'unrecognized_keys' ? [...one.path, ...one.keys] : one.path);
      if (!wrong.has(key)) wrong.set(key, one);
    }
  }
  return wrong;
}

/** Returns the error for a field that no variant has. The message lists the field names of all variants. */
function describeUnknownField(found: readonly Issue[]): Issue {
  const names = new Set(found.flatMap(({message}) => parseNamesInMessage(message)));
  return {...found[0], message: joinNames(names)} as Issue;
}

/** Returns the schema at a path of a body, if all possible values at that path have the same schema. */
function findSchemaAt(schema: unknown, [name, ...rest]: readonly PropertyKey[]): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return findSchemaAt(schema.unwrap(), name === undefined ? [] : [name, ...rest]);
  if (name === undefined) return schema;
  if (schema instanceof z.ZodObject) return findSchemaAt(schema.shape[String(name)], rest);
  return schema instanceof z.ZodArray ? findSchemaAt(schema.element, rest) : undefined;
}

function* describeBodyErrors(issue: Issue, schema: z.ZodType): Iterable<InputError> {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') {
    yield describeBodyError(path, describeIssueReason(issue, schema));
    return;
  }
  const whole = path.length === 0 ? 'the body' : readFieldName(path);
  for (const key of issue.keys) {
    yield describeBodyError([...path, key], {
      problem: `is not a member of ${whole}, ${issue.message}`,
      hint: suggestNearMatches(key, parseNamesInMessage(issue.message)),
    });
  }
}

/** The rest of a sentence that begins with the field's name, and a second sentence with advice. */
interface Explanation {
  readonly problem: string;
  readonly hint?: string;
}

function describeBodyError(path: readonly string[], {problem, hint = ''}: Explanation): InputError {
  const name = path.length === 0 ? 'The body' : readFieldName(path);
  return {code: 'validation_failed', detail: `${name} ${problem}.${hint}`, pointer: createJsonPointer(path)};
}

/** The length at which a field name in a message is cut. No valid name is longer. */
const longestName = 80;

function shortenName(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName)}…` : name;
}

function readFieldName(path: readonly string[]): string {
  return `\`${path.map(shortenName).join('.')}\``;
}

function* describeQueryErrors(issue: Issue, schema: z.ZodType): Iterable<InputError> {
  if (issue.code !== 'unrecognized_keys') {
    yield describeQueryError(String(issue.path[0] ?? ''), describeIssueReason(issue, schema));
    return;
  }
  for (const key of issue.keys) {
    yield describeQueryError(key, {
      problem: `is not a parameter of this request, ${issue.message}`,
      hint: suggestNearMatches(key, parseNamesInMessage(issue.message)),
    });
  }
}

function describeQueryError(name: string, {problem, hint = ''}: Explanation): InputError {
  const parameter = shortenName(name);
  return {code: 'invalid_parameter', detail: `\`${parameter}\` ${problem}.${hint}`, parameter};
}

/** Describes the valid names and values of a field, which the validator's own message leaves out. */
function explainIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject) {
    return joinNames(Object.keys(issue.inst.shape));
  }
  if (issue.code === 'invalid_union' && Array.isArray(issue['options'])) {
    return `must be one of ${issue['options'].join(', ')}`;
  }
  return undefined;
}

function joinNames(names: Iterable<string>): string {
  const shownNames = [...names].map((name) => `\`${name}\``);
  return shownNames.length === 0 ? 'which has none' : `which has ${shownNames.join(', ')}`;
}

function parseNamesInMessage(message: string): string[] {
  return [...message.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name ?? []);
}

/** Returns an example for the value at a path from its schema, after a comma. A body lists its fields. */
function describeExampleAt(schema: unknown, [name, ...rest]: readonly PropertyKey[]): string {
  if (!(schema instanceof z.ZodType)) return '';
  if (name === undefined) {
    const [example] = (schema.meta()?.examples as readonly unknown[] | undefined) ?? [];
    if (example !== undefined) return `, such as ${JSON.stringify(example)}`;
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return describeExampleAt(schema.unwrap(), name === undefined ? [] : [name, ...rest]);
  }
  if (schema instanceof z.ZodUnion && name !== undefined) {
    const found = schema.options.map((option) => describeExampleAt(option, [name, ...rest]));
    return found.find((example) => example !== '') ?? '';
  }
  if (schema instanceof z.ZodObject) {
    if (name !== undefined) return describeExampleAt(schema.shape[String(name)], rest);
    return `, ${joinNames(Object.keys(schema.shape))}`;
  }
  return schema instanceof z.ZodArray && name !== undefined ? describeExampleAt(schema.element, rest) : '';
}

function describeIssueReason(issue: Issue, schema: z.ZodType): Explanation {
  if (issue.code === 'invalid_key')
    return {problem: convertToPredicate(issue.issues[0]?.message ?? issue.message)};
  if (issue.input instanceof LostNumber)
    return {problem: `${lostNumberMessage}${quoteGivenValue(issue, issue.input)}`};
  const given = findGivenValue(issue);
  const stated = `${convertToPredicate(issue.message)}${quoteGivenValue(issue, given)}`;
  if (issue.code !== 'invalid_type') return {problem: stated, hint: suggestMeantValue(issue, given)};
  const type = typeNames[issue.expected] ?? issue.expected;
  const example = describeExampleAt(schema, issue.path);
  if (issue.input === undefined) return {problem: `is required (${type}${example})`};
  return {
    problem: isSchemaMessage(issue.message)
      ? stated
      : `must be of type ${type}${example}${quoteGivenValue(issue, given)}`,
  };
}

/** Returns the value that the request has at the path of an error; undefined when it has none. */
function findGivenValue({code, input, path}: Issue): unknown {
  if (code !== 'invalid_union' || typeof input !== 'object' || input === null) return input;
  return (input as Record<string, unknown>)[String(path.at(-1))];
}

const secretMembers: ReadonlySet<unknown> = new Set(['headers', 'tls']);
const shownCharacters = 60;

/** Returns a value of the request in quotes, for an error message, if the value is short and not a secret. */
function quoteGivenValue({code, path}: Issue, given: unknown): string {
  if (secretMembers.has(path[0])) return '';
  if (typeof given === 'string') {
    const isShort = given.length <= 2 * shownCharacters && countCodePoints(given) <= shownCharacters;
    return isShort && given.trim() !== '' ? `; it is ${JSON.stringify(given)}` : '';
  }
  if (given instanceof LostNumber) return `; it is ${shortenName(given.written)}`;
  if (given === null || typeof given === 'number' || typeof given === 'boolean') return `; it is ${given}`;
  if (code !== 'invalid_type' || typeof given !== 'object') return '';
  return Array.isArray(given) ? '; it is an array' : '; it is an object';
}

/** A function of a schema that suggests the value that was probably meant. */
type Suggest = (given: unknown) => string;

/** Suggests the value probably meant: an allowed one, or the schema's suggestion (`params.suggest`). */
function suggestMeantValue(issue: Issue, given: unknown): string {
  if (issue.code === 'invalid_value')
    return typeof given === 'string' ? suggestNearMatches(given, issue.values.map(String)) : '';
  const params = issue.code === 'custom' ? (issue.params as {suggest?: Suggest} | undefined) : undefined;
  return params?.suggest?.(given) ?? '';
}

/** Common names of types that this API calls differently. */
const typeNames: Readonly<Record<string, string>> = {record: 'object', int: 'integer'};

/** True when the message was written for our schema, and not by the validation library. */
function isSchemaMessage(message: string): boolean {
  return /^(must|is|has|names|cannot) /.test(message);
}

function convertToPredicate(message: string): string {
  return isSchemaMessage(message) ? message : convertToInvalidPredicate(message);
}

function convertToInvalidPredicate(message: string): string {
  return `is not valid (${message.charAt(0).toLowerCase()}${message.slice(1)})`;
}

/** Returns a JSON Pointer as URI fragment (RFC 6901, 6); for a very long name, to the object around it. */
function createJsonPointer(path: readonly string[]): string {
  const end = path.findIndex((name) => name.length > longestName);
  const shownPath = end === -1 ? path : path.slice(0, end);
  return `#${shownPath.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;
}
