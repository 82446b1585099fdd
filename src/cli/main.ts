#!/usr/bin/env node
import {launchProgram} from '../launch.js';

await launchProgram(() => import('./run.js'));
