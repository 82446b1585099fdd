import {launch} from './launch.js';

await launch(() => import('./serve.js'));
