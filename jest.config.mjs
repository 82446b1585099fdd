/** Native ES modules (runtime.cjs; node --experimental-vm-modules); swc only removes the types of what is in test/. */
export default {
  testEnvironment: '<rootDir>/test/support/environment.cjs',
  runtime: '<rootDir>/test/support/runtime.cjs',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
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
  testSequencer: '<rootDir>/test/support/sequencer.cjs',
  // Above the limits of `until`, which says what did not come to hold.
  testTimeout: 180_000,
};
