import {launchProgram} from './launch.js';

await launchProgram(() => import('./serve.js'));
