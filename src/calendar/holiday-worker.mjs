// A thread of its own for the package `date-holidays`, which takes at least a quarter of a second to load and
// up to 100 ms for a year: nothing else waits for either. It is JavaScript so that Node can start it as it
// is, whatever compiles the rest. Its questions are in holidays.ts.
import {parentPort} from 'node:worker_threads';
import Holidays from 'date-holidays';

const answers = {
  load: () => null,
  countries: () => new Holidays().getCountries('en'),
  states: (country) => new Holidays().getStates(country, 'en') ?? {},
  regions: (country, state) => new Holidays().getRegions(country, state, 'en') ?? {},
  year: (year, ...region) => new Holidays(...region, {types: ['public']}).getHolidays(year, 'en') ?? [],
};

parentPort.on('message', ({id, question, about}) => {
  try {
    parentPort.postMessage({id, answer: answers[question](...about)}, []);
  } catch (error) {
    parentPort.postMessage({id, error: String(error)}, []);
  }
});
