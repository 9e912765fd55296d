import { parseConfig } from "./src/config/parse-config.ts";
const t=(x:any,o:any={})=>{try{const c=parseConfig(x,{logger:{error(){},warn(p:any,m:string){console.log("W",m)},info(){},debug(){}},...o}); console.log("OK",JSON.stringify(c))}catch(e:any){console.log(e.message)}};
t(`{ "Routes": [ { "UpstreamPathTemplate": "/a/{id", "DownstreamPathTemplat": "/b", "DownstreamHostAndPorts": [{"Host":"a","Port":"99999"}], "LoadBalancerOptions": {"Type":"RoundRobbin"} } ] "GlobalConfiguration": { } }`,{file:"g.json"});
t("{ 'a': 1 }"); t(""); t("5"); t([]); t({Routes:{}}); t({Routes:[{UpstreamPathTemplate:"/a",DownstreamPathTemplate:"/a",DownstreamHostAndPorts:[{Host:"h",Port:0}],UpstreamScheme:"http",UpstreamHttpMethod:["GETT"], Timeout:-1}]});
t(`{"Routes":[{"UpstreamPathTemplate":"/a" "DownstreamPathTemplate":"/b"},{"UpstreamPathTemplate":"x","DownstreamPathTemplate":"/b"}]}`);
t({Routes:[{Key:1n, UpstreamPathTemplate:"/a",DownstreamPathTemplate:"/a",ServiceName:"fabric:/a/b",Metadata:{a:1.5,b:true,c:null,d:{x:[1,"é"]},__proto__:1}}],GlobalConfiguration:{ServiceDiscoveryProvider:{type:" servicefabric "},MetadataOptions:{Separators:[],CurrentCulture:""}}});
let d:any={};let p=d; for(let i=0;i<200;i++){p.Routes={};p=p.Routes}; t(d); t("[".repeat(100000)); t(()=>1); t(new Map()); t(Buffer.from("{}"));
