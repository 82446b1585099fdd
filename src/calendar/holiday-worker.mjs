// A worker thread for the package `date-holidays`, which takes 250 ms or more to load and up to 100 ms for a
// year. Other work must not wait for it. This file is JavaScript so that Node can start it without
// compilation. holidays.ts sends it the questions.
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
