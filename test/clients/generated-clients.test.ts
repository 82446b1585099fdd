import {generators} from './generators.js';
import {testClients} from './test-clients.js';

testClients(generators.filter(({name}) => name !== 'openapi-python-client'));
