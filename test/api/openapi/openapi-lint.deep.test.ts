import {BaseResolver, createConfig, lintDocument, makeDocumentFromString} from '@redocly/openapi-core';
import {expect, it} from '@jest/globals';
import {Validator} from '@seriousme/openapi-schema-validator';
import {createCommittedOpenApi} from '../../../src/api/openapi/openapi.js';
import {routes} from '../samples.js';

/** Rules beyond the linter's recommended ones; a warning counts as an error. */
const stricter = {
  'info-contact': 'error',
  'operation-description': 'error',
  'operation-tag-defined': 'error',
  'operation-singular-tag': 'error',
  'operation-4xx-problem-details-rfc7807': 'error',
  'parameter-description': 'error',
  'no-http-verbs-in-paths': 'error',
  'component-name-unique': 'error',
  'spec-example-values': 'error',
  'spec-no-invalid-encoding-combinations': 'error',
  'array-parameter-serialization': 'error',
  'no-mixed-number-range-constraints': 'error',
  'request-mime-type': {
    severity: 'error',
    allowedValues: ['application/json', 'application/merge-patch+json'],
  },
} as const;

/** Every complaint as `rule: location`, `message`. */
async function lint(text: string): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: stricter,
    telemetry: 'off',
  });
  const problems = await lintDocument({
    document: makeDocumentFromString(text, '/openapi.json'),
    config,
    // The document has no external references, so none is read or fetched.
    externalRefResolver: new BaseResolver(),
  });
  return problems.map(({ruleId, message, location}) => `${ruleId}: ${location[0]?.pointer}: ${message}`);
}

const text = createCommittedOpenApi(routes, '1.2.3');

it('the linter reports no error and no warning about the document', async () => {
  expect(await lint(text)).toEqual([]);
});

it.each<[string, (document: any) => void]>([
  ['operation-4xx-response', ({paths}) => (paths['/v1/me'].get.responses = {200: {description: 'Good.'}})],
  ['no-unused-components', ({components}) => (components.schemas.Unused = {type: 'string'})],
  ['no-unresolved-refs', ({components}) => delete components.schemas.Problem],
  ['parameter-description', ({components}) => delete components.parameters.TeamParam.description],
  [
    'no-invalid-media-type-examples',
    ({components}) => delete components.examples.not_found_example.value.code,
  ],
  ['tag-description', ({tags}) => delete tags[0].description],
  ['operation-description', ({paths}) => delete paths['/v1/me'].get.description],
])('the linter would find a break of %s', async (rule, plant) => {
  const document = JSON.parse(text);
  plant(document);
  expect((await lint(JSON.stringify(document))).join('\n')).toContain(`${rule}: `);
});

it('the document is valid OpenAPI 3.1 for an independent validator', async () => {
  const document = JSON.parse(text);
  const result = await new Validator().validate(structuredClone(document));
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
  expect(document.openapi).toMatch(/^3\.1\./);
});
