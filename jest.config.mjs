/** Native ES modules (node --experimental-vm-modules); swc only removes the types. */
export default {
  testEnvironment: '<rootDir>/test/support/plain-environment.mjs',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {'^(\\.{1,2}/.*)\\.js$': '$1'},
  // js first: a package's own file must win over a .ts beside it.
  moduleFileExtensions: ['js', 'ts', 'mjs', 'json', 'node'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {parser: {syntax: 'typescript'}, target: 'es2022'},
        module: {type: 'es6'},
        sourceMaps: 'inline',
      },
    ],
  },
  // scripts/*.mjs run as they are.
  transformIgnorePatterns: ['/node_modules/', '\\.mjs$'],
  globalSetup: '<rootDir>/test/support/setup-redis.mjs',
  globalTeardown: '<rootDir>/test/support/teardown-redis.mjs',
  maxWorkers: 2,
  testTimeout: 60_000,
};
