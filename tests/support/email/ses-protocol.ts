import { createHash, createHmac } from "node:crypto";
import { readSender } from "./read-sender.ts";
import type { Answer, Protocol, StandInRequest } from "./start-stand-in.ts";

const region = "eu-west-1";
const accessKeyId = "AKIAIOSFODNN7EXAMPLE";
const secretAccessKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/CommonErrors.html: the exception is named in a header. */
const error = (status: number, name: string, message: string): Answer => ({
  status,
  headers: { "x-amzn-ErrorType": name },
  body: { message },
});

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();

/**
 * Calculates AWS Signature Version 4 of the request:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html. Null: the signature is right, and at most five minutes old.
 */
export function signatureProblem({ method, path, headers, body }: StandInRequest, now = Date.now()): string | null {
  const given = /^AWS4-HMAC-SHA256 Credential=(.+), ?SignedHeaders=(.+), ?Signature=([0-9a-f]{64})$/.exec(
    headers.authorization ?? "",
  );
  if (!given) return "MissingAuthenticationTokenException";
  const [, credential = "", signedHeaders = "", signature] = given;
  const date = String(headers["x-amz-date"]);
  const scope = `${date.slice(0, 8)}/${region}/ses/aws4_request`;
  if (credential !== `${accessKeyId}/${scope}`) return "IncompleteSignatureException";
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  if (!(Math.abs(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - now) <= 300_000))
    return "RequestExpired";
  if (!signedHeaders.split(";").includes("host")) return "InvalidSignatureException";
  const lines = signedHeaders.split(";").map((name) => `${name}:${String(headers[name] ?? "").trim()}\n`);
  const canonical = [method, path, "", lines.join(""), signedHeaders, sha256(body)].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n");
  const [day1, ...rest] = scope.split("/");
  const key = rest.reduce((chained, part) => hmac(chained, part), hmac(`AWS4${secretAccessKey}`, day1 ?? ""));
  return hmac(key, toSign).toString("hex") === signature ? null : "InvalidSignatureException";
}

type Utf8 = { Data: string; Charset: string };
type SendEmail = {
  FromEmailAddress: string;
  Destination: { ToAddresses: string[] };
  ReplyToAddresses: string[];
  Content: { Simple: { Subject: Utf8; Body: { Text: Utf8; Html: Utf8 } } };
};

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */
export const sesProtocol: Protocol = {
  variables: (origin) => ({
    EMAIL_SERVICE: "ses",
    SES_REGION: region,
    SES_ACCESS_KEY_ID: accessKeyId,
    SES_SECRET_ACCESS_KEY: secretAccessKey,
    EMAIL_API_BASE: origin,
  }),
  read(request) {
    if (request.method !== "POST" || request.path !== "/v2/email/outbound-emails")
      return { refusal: error(404, "UnknownOperationException", "") };
    const problem = signatureProblem(request);
    if (problem !== null) return { refusal: error(403, problem, "The request signature does not match.") };
    const { FromEmailAddress: from, Destination, ReplyToAddresses, Content } = JSON.parse(request.body) as SendEmail;
    // Its documentation: the name is in ASCII, or an encoded word.
    if (/[^ -~]/.test(from) || readSender(from) === null)
      return { refusal: error(400, "BadRequestException", "Illegal sender") };
    const { Subject, Body } = Content.Simple;
    const [to, replyTo] = [Destination.ToAddresses.join(), ReplyToAddresses.join()];
    return { from, to, replyTo, subject: Subject.Data, text: Body.Text.Data, html: Body.Html.Data };
  },
  accept: (id) => ({ status: 200, body: { MessageId: id } }),
  refusals: {
    "address-refused": error(400, "BadRequestException", "Local address contains control or whitespace"),
    "rate-limited": error(429, "TooManyRequestsException", "Maximum sending rate exceeded."),
    "quota-exhausted": error(429, "TooManyRequestsException", "Daily message quota exceeded."),
  },
  repetitionHeader: null,
};
