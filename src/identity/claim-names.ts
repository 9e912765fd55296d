import type { Identity } from "./identity.ts";

/** The long names of claims as .NET has them, by their beginning: `short=rest`, or the rest alone where both are alike. */
const longNames: Readonly<Record<string, string>> = {
  "http://schemas.microsoft.com/2012/01/devicecontext/claims/":
    "devicedispname=displayname deviceid=identifier deviceismanaged=ismanaged deviceostype=ostype deviceosver=osversion deviceowner=userowner deviceregid=registrationid isregistereduser",
  "http://schemas.microsoft.com/2012/01/requestcontext/claims/":
    "clientapplication=x-ms-client-application clientip=x-ms-client-ip clientuseragent=x-ms-client-user-agent endpointpath=x-ms-endpoint-absolute-path forwardedclientip=x-ms-forwarded-client-ip proxy=x-ms-proxy relyingpartytrustid",
  "http://schemas.microsoft.com/2012/12/certificatecontext/extension/":
    "certapppolicy=applicationpolicy certauthoritykeyidentifier=authoritykeyidentifier certbasicconstraints=basicconstraints certeku=eku certkeyusage=keyusage certpolicy=certificatepolicy certsubjectaltname=san certsubjectkeyidentifier=subjectkeyidentifier certtemplateinformation=certificatetemplateinformation certtemplatename=certificatetemplatename",
  "http://schemas.microsoft.com/2012/12/certificatecontext/field/":
    "certissuer=issuer certissuername=issuername certnotafter=notafter certnotbefore=notbefore certrawdata=rawdata certsignaturealgorithm=signaturealgorithm certsubject=subject certsubjectname=subjectname certx509version=x509version",
  "http://schemas.microsoft.com/claims/": "acr=authnclassreference amr=authnmethodsreferences",
  "http://schemas.microsoft.com/identity/claims/": "idp=identityprovider oid=objectidentifier scp=scope tid=tenantid",
  "http://schemas.microsoft.com/ws/2008/06/identity/claims/":
    "authmethod=authenticationmethod certserialnumber=serialnumber denyonlyprimarygroupsid denyonlyprimarysid groupsid primarygroupsid primarysid role roles=role winaccountname=windowsaccountname",
  "http://schemas.microsoft.com/ws/2012/01/":
    "insidecorporatenetwork pwdchgurl=passwordchangeurl pwdexpdays=passwordexpirationdays pwdexptime=passwordexpirationtime",
  "http://schemas.xmlsoap.org/claims/": "adfs1email=EmailAddress adfs1upn=UPN commonname=CommonName group=Group",
  "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/":
    "birthdate=dateofbirth certpublickey=rsa certthumbprint=thumbprint denyonlysid email=emailaddress family_name=surname gender given_name=givenname nameid=nameidentifier ppid=privatepersonalidentifier sub=nameidentifier unique_name=name upn website=webpage",
  "http://schemas.xmlsoap.org/ws/2009/09/identity/claims/": "actort=actor",
};

const pairs = Object.entries(longNames).flatMap(([beginning, names]) =>
  names.split(" ").map((name) => {
    const [short = "", rest = short] = name.split("=");
    return { short, long: beginning + rest };
  }),
);

const longByShort = new Map(pairs.map(({ short, long }) => [short, long]));
const pairsByLong = Map.groupBy(pairs, ({ long }) => long);

/**
 * The names under which a claim stands among others: a short name finds itself, else the long one of .NET; a long name
 * finds itself, else the short ones that .NET replaces by it.
 */
export function namesOfClaim(claims: Identity["claims"], name: string): readonly string[] {
  if (Object.hasOwn(claims, name)) return [name];
  const long = longByShort.get(name);
  const others = long === undefined ? shortNamesOf(name) : [long];
  return others.length === 0 ? [] : Object.keys(claims).filter((own) => others.includes(own));
}

function shortNamesOf(long: string): readonly string[] {
  return pairsByLong.get(long)?.map(({ short }) => short) ?? [];
}
