/**
 * `npm run test:deep` sets TEST_DEEP=1. A long table or a random walk then runs whole, and `npm test` runs a
 * part of it: `deep ? all : some`.
 */
export const deep = process.env['TEST_DEEP'] === '1';
