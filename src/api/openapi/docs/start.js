// Starts Swagger UI on the page /docs. All files come from this service.

/** Makes each section of the guide collapsible, since the operations would otherwise be far down the page. */
function foldGuide(guide) {
  const headings = [...guide.querySelectorAll(':scope > h2')];
  for (const [i, heading] of headings.entries()) {
    const section = document.createElement('details');
    const title = document.createElement('summary');
    title.textContent = heading.textContent;
    section.open = i === 0;
    heading.replaceWith(section);
    section.append(title);
    while (section.nextSibling !== null && section.nextSibling !== headings[i + 1]) {
      section.append(section.nextSibling);
    }
  }
}

/** Folds the guide when it appears, which is some time after Swagger UI has started. */
function foldGuideWhenThere() {
  const guide = document.querySelector('.info .description > div');
  if (guide === null) return;
  observer.disconnect();
  foldGuide(guide);
}

const observer = new MutationObserver(foldGuideWhenThere);
observer.observe(document.getElementById('docs'), {childList: true, subtree: true});

const answer = await fetch('/openapi.json');
const spec = await answer.json();
// Without `servers`, the button "Execute" calls the host from which this page was loaded.
delete spec.servers;
// Removes the examples of parameters: Swagger UI would send them all, such as a used idempotency key.
const {parameters} = spec.components;
const operations = Object.values(spec.paths).flatMap((path) => Object.values(path));
for (const parameter of [...Object.values(parameters), ...operations.flatMap((one) => one.parameters)]) {
  if (parameter.in !== 'path') delete parameter.example;
}

window.ui = SwaggerUIBundle({
  spec,
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  validatorUrl: null,
});
