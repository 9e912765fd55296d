import countryToCurrency from "country-to-currency";

const currencies: Readonly<Record<string, string>> = countryToCurrency;

/** The ISO code of a region's currency: `CH` gives `CHF`. Regions without one (419, say) give `undefined`. */
export function currencyOf(region: string | undefined): string | undefined {
  return region !== undefined && Object.hasOwn(currencies, region) ? currencies[region] : undefined;
}
