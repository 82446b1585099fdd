import helmet from 'helmet';

export type HeaderLines = Readonly<Record<string, string>>;

/** One year, the minimum for the preload lists of browsers. */
const transportSecurity = 'max-age=31536000; includeSubDomains';

/**
 * Headers of every answer that is data, errors included. The object is made once, because the API's answers
 * do not use Express. HSTS is only sent over https, as browsers ignore it on http (RFC 6797 section 7.2).
 */
export function createDataHeaders(publicUrl: string): HeaderLines {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    ...(isSecure(publicUrl) && {'Strict-Transport-Security': transportSecurity}),
  };
}

/** Headers of every page: nothing from other hosts, and no inline code. (Swagger UI styles by script.) */
export function createPageHeaders(publicUrl: string) {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: isSecure(publicUrl),
  });
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}
