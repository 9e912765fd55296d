import { readFileSync, readdirSync } from "node:fs";
import { parseConfig } from "./src/config/parse-config.ts";
for (const f of readdirSync("/work/shared/wild").filter(f=>f.endsWith(".json"))) {
  const { text } = JSON.parse(readFileSync("/work/shared/wild/"+f,"utf8"));
  const warn:string[]=[];
  const logger = { error(){}, warn(p:any){warn.push(p.code)}, info(){}, debug(){} };
  try { const c = parseConfig(text,{file:f,logger}); console.log(f,"starts",c.routes.length,"routes",JSON.stringify(c.warnings.map(w=>`${w.code}:${w.path}`)));}
  catch(e:any){ console.log(f,"refused",e.name, JSON.stringify(e.problems?.map((p:any)=>p.code+" "+p.path)), "warn", warn.length); if(process.argv[2]) console.log(e.message); }
}
