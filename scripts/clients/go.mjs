import {execFileSync} from 'node:child_process';
import {cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {say} from '../console.mjs';
import {hashFiles, listFiles} from '../files.mjs';
import {cacheFolder, root} from '../paths.mjs';

/** Programs that must be on the machine. */
export const needs = ['go'];
/** Paths of the tests that `--check` runs. */
export const tests = ['test/clients/go-client.deep.test.ts', 'test/clients/go-receiver.deep.test.ts'];

const generator = {path: 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen', version: 'v2.8.2'};
const source = path.join(root, 'clients', 'go');
const templates = path.join(source, 'generator');
const documentFile = path.join(root, 'docs', 'openapi.json');
const cache = path.join(cacheFolder, 'clients');
const output = path.join(cache, 'go-client');
const {version} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/**
 * Builds the module: the files of clients/go, and generated.go, which is made from the OpenAPI document.
 * Resolves to its folder and to the command by which another module uses it.
 */
export async function buildClient() {
  const generated = ensureGenerated();
  rmSync(output, {recursive: true, force: true});
  cpSync(source, output, {recursive: true, filter: (file) => file !== templates});
  cpSync(generated, path.join(output, 'generated.go'));
  cpSync(path.join(root, 'LICENSE'), path.join(output, 'LICENSE'));
  const [, name] = /^module (\S+)$/m.exec(readFileSync(path.join(source, 'go.mod'), 'utf8'));
  packModule(name);
  return {folder: output, install: `go mod edit -require=${name}@v${version} -replace=${name}=${output}`};
}

/** Writes the files of a module proxy (https://go.dev/ref/mod#goproxy-protocol): `GOPROXY=file://…/go-proxy`. */
function packModule(name) {
  const folder = path.join(cache, 'go-proxy', name, '@v');
  const write = (file, text) => writeFileSync(path.join(folder, file), text);
  mkdirSync(folder, {recursive: true});
  write('list', `v${version}\n`);
  write(`v${version}.info`, JSON.stringify({Version: `v${version}`}));
  cpSync(path.join(output, 'go.mod'), path.join(folder, `v${version}.mod`));
  const args = ['run', path.join(templates, 'pack.go'), output, `${name}@v${version}/`];
  execFileSync('go', [...args, path.join(folder, `v${version}.zip`)], {stdio: 'inherit'});
}

/** Generates again when the document, a template or this file has changed. Returns the generated file. */
function ensureGenerated() {
  const stamp = hashFiles([
    documentFile,
    path.join(root, 'package.json'),
    import.meta.filename,
    ...listFiles(templates),
  ]);
  const file = path.join(cache, `go-generated-${stamp.slice(0, 16)}.go`);
  if (existsSync(file)) return file;
  const tool = ensureGenerator();
  const document = simplifyDocument(JSON.parse(readFileSync(documentFile, 'utf8')));
  const made = path.join(cache, 'go-generated.go');
  const config = path.join(cache, 'go-generator.json');
  const simplified = path.join(cache, 'go-openapi.json');
  writeFileSync(simplified, JSON.stringify(document));
  writeFileSync(config, JSON.stringify(describeOutput(made)));
  execFileSync(tool, ['--config', config, simplified], {stdio: 'inherit'});
  writeFileSync(made, completeCode(readFileSync(made, 'utf8'), document.components.schemas));
  // A run that is interrupted before leaves no incomplete file under this name.
  renameSync(made, file);
  return file;
}

function ensureGenerator() {
  const folder = path.join(cache, `oapi-codegen-${generator.version}`);
  const tool = path.join(folder, 'oapi-codegen');
  if (!existsSync(tool)) {
    say('Installing oapi-codegen into .cache. This happens once.');
    mkdirSync(folder, {recursive: true});
    const env = {...process.env, GOBIN: folder};
    execFileSync('go', ['install', `${generator.path}@${generator.version}`], {env, stdio: 'inherit'});
  }
  return tool;
}

function describeOutput(file) {
  const text = {type: 'string'};
  const nothing = path.join(templates, 'nothing.tmpl');
  return {
    package: 'standup',
    output: file,
    generate: {models: true, client: true},
    'output-options': {
      // The payloads of webhooks belong to no operation, so they would be dropped.
      'skip-prune': true,
      'skip-enum-validate': true,
      'generate-types-for-anonymous-schemas': true,
      'name-normalizer': 'ToCamelCaseWithInitialisms',
      // The generator's own types of these formats would need another module.
      'type-mapping': {
        string: {formats: {date: text, email: text, uri: text}},
        number: {default: {type: 'float64'}},
      },
      'user-templates': {
        'client.tmpl': path.join(templates, 'client.tmpl'),
        'client-with-responses.tmpl': nothing,
        'request-bodies.tmpl': nothing,
      },
    },
  };
}

/**
 * Simplifies the document to what the generator turns into plain Go. Errors, headers, pages and unions are
 * the same in all operations, so the committed files have them once.
 */
function simplifyDocument({openapi, info, paths, components}) {
  const {Problem: _, ...schemas} = mapValues(components.schemas, simplify);
  const raw = {type: 'string', format: 'json'};
  Object.assign(schemas.Event.properties, {data: raw, previous_attributes: raw});

  const simplifyOperation = ({
    operationId,
    summary,
    deprecated,
    parameters = [],
    requestBody,
    responses,
  }) => ({
    operationId,
    deprecated,
    summary: summary.replace(/\.$/, ''),
    parameters: parameters
      .map((one) => (one.$ref ? components.parameters[one.$ref.split('/').at(-1)] : one))
      .filter((parameter) => parameter.in !== 'header')
      .map((parameter) => ({...parameter, schema: simplify(parameter.schema)})),
    ...(requestBody && simplifyBody(operationId, requestBody)),
    responses: mapValues(
      Object.fromEntries(Object.entries(responses).filter(([status]) => status.startsWith('2'))),
      ({content = {}}) => ({description: '', content: mapValues(content, simplifyResult)}),
    ),
  });

  /** A schema of its own gets a name, so that callers can write its type. Optional empty bodies are left out. */
  const simplifyBody = (operationId, {required, content}) => {
    const {schema} = content['application/json'];
    if (!schema.$ref && Object.keys(schema.properties ?? {}).length === 0) return {};
    const name = `${operationId[0].toUpperCase()}${operationId.slice(1)}Body`;
    if (!schema.$ref) schemas[name] = simplify(schema);
    const named = schema.$ref ? schema : {$ref: `#/components/schemas/${name}`};
    return {requestBody: {required, content: {'application/json': {schema: named}}}};
  };

  return {
    openapi,
    info,
    paths: mapValues(paths, (operations) => mapValues(operations, simplifyOperation)),
    components: {schemas},
  };
}

/** A list becomes `Page`. The answer to a post, which is a standup or a list of them, becomes `Posted`. */
function simplifyResult({schema}) {
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants?.some(({$ref}) => $ref?.endsWith('/ShownStandup'))) return {schema: {'x-go-type': 'Posted'}};
  if (variants) throw new Error('A result with variants needs a type in clients/go, as `Posted`.');
  const item = schema.properties?.data?.items?.$ref;
  return {schema: item ? {'x-go-type': `Page[${item.split('/').at(-1)}]`} : simplify(schema)};
}

/** Keeps what Go's types can say. A union becomes one type that all of its values fit into. */
function simplify(schema) {
  const {anyOf, oneOf = anyOf, type, enum: values, properties, items, additionalProperties} = schema;
  const {$ref, description, deprecated, required, format} = schema;
  if ($ref) return {$ref};
  const about = {...(description && {description}), ...(deprecated && {deprecated})};
  if (oneOf) return {...unite(oneOf), ...about};
  return {
    ...about,
    ...(type && {type: values?.every(Number.isInteger) ? 'integer' : type}),
    ...(format && {format}),
    ...(values && {enum: values}),
    ...(required && {required}),
    ...(items && {items: simplify(items)}),
    ...(properties && {properties: mapValues(properties, simplify)}),
    ...(additionalProperties && !properties && {additionalProperties: simplify(additionalProperties)}),
  };
}

function unite(variants) {
  const some = variants.filter(({type}) => type !== 'null').map(simplify);
  const nullable = some.length < variants.length;
  if (some.length === 1 && some[0].$ref) return nullable ? {anyOf: [...some, {type: 'null'}]} : some[0];
  // The empty schema is `any`. The value of an answer is a text, a number, a boolean or a list.
  if (new Set(some.map(({type}) => type)).size > 1) return {};
  const united = some.length > 1 && some[0].type === 'object' ? uniteObjects(some) : some[0];
  return nullable ? {...united, type: [united.type, 'null'].flat()} : united;
}

/** A property that several variants have keeps the schema of the first. Only those of all are required. */
function uniteObjects(objects) {
  return {
    type: 'object',
    properties: Object.assign({}, ...objects.map(({properties}) => properties).toReversed()),
    required: objects[0].required.filter((name) => objects.every(({required}) => required.includes(name))),
  };
}

/** Adds the version, and a method for `IfMatch` to each type with a revision. */
function completeCode(code, schemas) {
  const revised = Object.keys(schemas).filter(
    (name) => schemas[name].properties?.revision?.type === 'integer' && !name.endsWith('Event'),
  );
  const methods = revised.map((name) => `\nfunc (o ${name}) revision() int { return o.Revision }\n`);
  return (
    code.replace(/^\/\/ Package .*\n\/\/\n(.*\n)/, '$1\n') +
    [`\nconst version = "${version}"\n`, ...methods].join('')
  );
}

function mapValues(object, map) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}
