import type {Journey} from './journey.js';

export const historyJourney: Journey = [['History', (visit) => visit.go('/history')]];
