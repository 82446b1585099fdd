import {generators} from './generators.js';
import {testClients} from './test-clients.js';

// Alone, since `npm run test:deep` runs it: of these generators the one that is soon installed.
testClients(generators.filter(({name}) => name === 'openapi-python-client'));
