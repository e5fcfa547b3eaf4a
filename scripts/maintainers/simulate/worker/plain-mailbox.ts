/** Written again here, so that a mistake in the site's own function shows. */
export function plainMailbox(address: string): string {
  const [local = "", domain = ""] = address.toLowerCase().split("@");
  const [name = ""] = local.split("+");
  return /^g(oogle)?mail\.com$/.test(domain) ? `${name.replaceAll(".", "")}@gmail.com` : `${name}@${domain}`;
}
