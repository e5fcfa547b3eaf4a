import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { type Contract, readContract, root } from "./contract-file.ts";
import { wireName } from "./wire.ts";

/** A place where a value doesn't match Stripe's types. */
export type Violation = { path: string; expected: string; got: string };

/** A violation, and in which call or event: `POST /v1/subscriptions/{id} request`, `invoice.paid webhook`. */
export type Finding = Violation & { where: string };

export type StripeContract = {
  apiVersion: string;
  /** The endpoint of the SDK that a call goes to; null: it has none. */
  endpointOf(method: string, path: string): { name: string; params: string | null; answer: string } | null;
  eventOf(type: string): string | null;
  /** Every violation in a value of a type. */
  check(definition: string, value: unknown): Violation[];
};

let contract: StripeContract | null = null;

/** Made once per process: compiled as it is needed, about a second for all that billing reaches. */
export function stripeContract(): StripeContract {
  contract ??= openContract(readContract());
  return contract;
}

function openContract({ apiVersion, endpoints, events, definitions }: Contract): StripeContract {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: false,
    validateSchema: false,
    inlineRefs: false,
    // Each validator runs a few times: making its code shorter takes longer than that saves.
    code: { optimize: false },
  });
  ajv.addSchema({ $id: "stripe", definitions });
  const known = endpoints.map(({ method, path, params, answer }) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    names: { name: `${method} ${path}`, params: params && wireName(params), answer },
  }));
  // `/v1/invoices/create_preview` before `/v1/invoices/{id}`.
  known.sort((one, other) => one.names.name.split("{").length - other.names.name.split("{").length);
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (definition: string): ValidateFunction => {
    const found =
      validators.get(definition) ?? ajv.compile({ $ref: `stripe#/definitions/${root}/properties/${definition}` });
    validators.set(definition, found);
    return found;
  };
  return {
    apiVersion,
    endpointOf: (method, path) =>
      known.find((endpoint) => endpoint.method === method && endpoint.pattern.test(path))?.names ?? null,
    eventOf: (type) => events[type] ?? null,
    check(definition, value) {
      const validate = validatorOf(definition);
      return validate(value) ? [] : (validate.errors ?? []).flatMap(violationOf);
    },
  };
}

/** One violation of one keyword as text; the keywords that only combine others are left out. */
function violationOf({ keyword, params, instancePath, data }: ErrorObject): Violation[] {
  const at = (path: string, expected: string, got: string): Violation[] => [{ path: path || "/", expected, got }];
  switch (keyword) {
    case "if":
      return [];
    case "required":
      return at(`${instancePath}/${params["missingProperty"]}`, "a value: it is required", "nothing");
    case "additionalProperties":
      return at(
        `${instancePath}/${params["additionalProperty"]}`,
        "nothing: there is no such name",
        say(Reflect.get(Object(data), params["additionalProperty"])),
      );
    case "type":
      return at(instancePath, [params["type"]].flat().join(" or "), say(data));
    case "const":
      return at(instancePath, say(params["allowedValue"]), say(data));
    case "enum":
      return at(instancePath, `one of ${shorten(params["allowedValues"].map(say).join(", "))}`, say(data));
    case "not":
    case "false schema":
      return at(instancePath, "nothing", say(data));
    default:
      return at(instancePath, `${keyword} ${shorten(JSON.stringify(params))}`, say(data));
  }
}

const say = (value: unknown): string => shorten(JSON.stringify(value) ?? "nothing");
const shorten = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}…` : text);
