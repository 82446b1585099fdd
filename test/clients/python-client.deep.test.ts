import {generators} from './generators.js';
import {testClients} from './test-clients.js';

// Only this one in `npm run test:deep`, because it is the quickest to install.
testClients(generators.filter(({name}) => name === 'openapi-python-client'));
